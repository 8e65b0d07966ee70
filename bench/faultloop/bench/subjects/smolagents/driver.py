"""smolagents as its README has it: a ToolCallingAgent; what `run` returns is the answer."""

from inspect import Parameter, Signature

import faultloop_driver as bench
import openai.resources.chat  # noqa: F401  # imported before the forks; the framework asks for it late
from smolagents import OpenAIModel, Tool, ToolCallingAgent


class WorldTool(Tool):
    """A tool of the manifest, as smolagents' own adapter for MCP makes them."""

    output_type = "string"
    skip_forward_signature_validation = True

    def __init__(self, name, description, parameters, **_):
        self.name, self.description, self.inputs = name, description, {}
        needed, taken = parameters.get("required", []), {}
        for key, schema in parameters["properties"].items():
            self.inputs[key] = {"description": key, **schema, "nullable": key not in needed}
            default = Parameter.empty if key in needed else None
            taken[key] = Parameter(key, Parameter.POSITIONAL_OR_KEYWORD, default=default)
        self.signature = Signature(sorted(taken.values(), key=lambda one: one.name not in needed))
        super().__init__()

    def forward(self, *given, **arguments):
        """By position or by name, and as strict as a function with these parameters."""
        return bench.call_tool(self.name, self.signature.bind(*given, **arguments).arguments)


def agent():
    """The agent, with the framework's defaults but for the limit."""
    model = OpenAIModel(bench.setting("MODEL"), api_base=bench.url("OPENAI"))
    tools, most = [WorldTool(**one) for one in bench.manifest()], int(bench.setting("MAX_STEPS"))
    stream = bench.streaming()
    return ToolCallingAgent(tools, model, max_steps=most, stream_outputs=stream, verbosity_level=0)


def main():
    """One run; it remembers nothing of an earlier one."""
    return str(agent().run(bench.setting("INPUT")))


if __name__ == "__main__":
    bench.run(main)
