"""Payments: charging twice takes twice, unless the service honours idempotency keys."""

from __future__ import annotations

from dataclasses import dataclass, replace

from faultloop.fakes.world.part import Args, Change, Made, Part, ToolFailed, declared
from faultloop.fakes.world.spec import WorldSpec
from faultloop.fakes.world.tool import WorldTool, changes, parameters, reads, text


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What customers can still be charged, and what they were."""

    honours_key: bool
    balance_cents: int
    """Shared by all customers: this world is small."""
    charges: tuple[tuple[str, int], ...] = ()
    """(customer, cents); charge number N is charges[N - 1]."""
    made: tuple[tuple[str, Made], ...] = ()
    """Idempotency keys seen, and what they made."""


def part(spec: WorldSpec) -> Part[Account] | None:
    """The payment service of a world, if it has one."""
    if spec.payments is None:
        return None
    account = Account(
        honours_key=spec.payments.honours_key, balance_cents=spec.payments.balance_cents
    )
    charge = _CHARGE.annotated(honoursKey=account.honours_key)
    return Part(account, declared((charge, _charge), (_LIST, _list)))


def _charge(account: Account, args: Args, key: str | None) -> Change[Account]:
    customer, cents = args["customer"], args["cents"]
    made = dict(account.made)
    if account.honours_key and key is not None and key in made:
        earlier = made[key]
        if earlier.arguments != args:
            raise ToolFailed(
                f"The idempotency key {key!r} already made charge {earlier.number} from other "
                "arguments; a new charge needs a new key."
            )
        return Change(account, f"Charge {earlier.number} was already made by this very call.")
    if cents > account.balance_cents:
        raise ToolFailed(
            f"Declined: {cents} cents were asked for, {account.balance_cents} are available."
        )
    number = len(account.charges) + 1
    if key is not None:
        made[key] = Made(number, args)
    after = replace(
        account,
        balance_cents=account.balance_cents - cents,
        charges=(*account.charges, (customer, cents)),
        made=tuple(made.items()),
    )
    what = f"charged {customer} {cents} cents (charge {number})"
    return Change(after, f"Done: {what}.", what)


def _list(account: Account, args: Args, key: str | None) -> Change[Account]:
    wanted = args.get("customer")
    found = [
        f"charge {number}: {customer} {cents} cents"
        for number, (customer, cents) in enumerate(account.charges, start=1)
        if wanted is None or customer == wanted
    ]
    nothing = f"No charges for {wanted}." if wanted else "No charges."
    return Change(account, "\n".join(found) or nothing)


_CHARGE = WorldTool(
    name="charge_customer",
    description="Take money from a customer. Use it once for each purchase; to see what was "
    "charged already use list_charges. Each call charges again. Returns the charge's number.",
    parameters=parameters(
        ("customer", "cents"),
        customer=text("The customer's name.", minLength=1),
        cents={"type": "integer", "minimum": 1, "description": "Amount in cents, such as 1999."},
    ),
    annotations=changes(risk="high", open_world=True),
).annotated(verifyWith="list_charges")

_LIST = WorldTool(
    name="list_charges",
    description="List charges. Use it to check whether a customer was charged. Returns one a line "
    "with its number, oldest first.",
    parameters=parameters(customer=text("Only this customer's; left out, all charges are listed.")),
    annotations=reads() | {"openWorldHint": True},
)
