"""`faultloop subjects`: which agent loops can be played, which of them are installed, and how."""
