"""What can go wrong. The messages are those of the command line: the fault, and what to do about it."""


class MousetrapError(Exception):
    """Anything that mousetrap complains about."""


class InputError(MousetrapError, ValueError):
    """What was asked for is impossible; the command line would exit with code 2."""


class IllegalMoveError(InputError):
    """A move that cannot be made, or that is none."""


class OutsideError(MousetrapError, OSError):
    """Something outside failed, such as a disk; the command line would exit with code 1."""
