"""The tools that need nothing of the version of fastmcp."""

from fastmcp import Context
from fastmcp.exceptions import ToolError

from board import Board

board = Board()


async def greet(name: str) -> str:
    return f"Hello, {name}!"


async def divide(dividend: int, divisor: int) -> str:
    if divisor == 0:
        raise ToolError("division by zero")
    return str(dividend // divisor)


async def approve(target: str) -> str:
    board.note(f"approved {target}").set()
    return "approved"


async def ended(target: str) -> str:
    await board.note(f"ended {target}").wait()
    return f"the build of {target} has ended"


async def build_now(target: str, ctx: Context) -> str:
    try:
        await ctx.report_progress(1, 2, "waiting for approval")
        await board.note(f"approved {target}").wait()
        return f"built {target}"
    finally:
        board.note(f"ended {target}").set()


def add_plain_tools(server):
    for tool in (greet, divide, approve, ended, build_now):
        server.tool(tool)
