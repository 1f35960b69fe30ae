"""Tells what came of each feature that a client was tried with, one JSON object a line."""

import json
import traceback
from importlib.metadata import version

import anyio


class Cannot(Exception):
    """The client has no way to do it; the text says what is missing."""


class NothingToTry(Exception):
    """The feature has no place in this revision or on this transport; the text says why."""


async def report(package, transport, wire, checks):
    """Runs the public methods of `checks`, each named after its feature, in the order of their definition."""
    tell(peer=f"PyPI `{package}`", version=version(package), transport=transport, wire=wire)
    for feature in [name for name in vars(type(checks)) if not name.startswith("_")]:
        try:
            with anyio.fail_after(60):
                note = await getattr(checks, feature)()
        except Cannot as missing:
            tell(feature=feature, outcome="no", note=str(missing))
        except NothingToTry as reason:
            tell(feature=feature, outcome="nothing to try", note=str(reason))
        except Exception as error:
            traceback.print_exc()
            tell(feature=feature, outcome="failed", note=repr(error))
        else:
            tell(feature=feature, outcome="yes", note=note)


def expect(found, wanted):
    """Fails unless both are the same. An `assert` could be switched off."""
    if found != wanted:
        raise AssertionError(f"expected {wanted!r}, found {found!r}")


def tell(**line):
    print(json.dumps(line), flush=True)
