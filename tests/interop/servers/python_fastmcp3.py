"""The tools that the client is tried with, on PyPI's fastmcp 3.x: 2025-11-25 with its tasks.

python_fastmcp3.py: over HTTP on the port that `PORT` names, else over stdio.
"""

from datetime import timedelta

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.tasks import TaskConfig
from mcp.shared.exceptions import McpError
from mcp.types import INTERNAL_ERROR, ErrorData

from board import Board, serve

server = FastMCP("interop-peer", version="0")
board = Board()
a_task = TaskConfig(mode="optional", poll_interval=timedelta(milliseconds=50))


@server.tool
async def greet(name: str) -> str:
    return f"Hello, {name}!"


@server.tool
async def divide(dividend: int, divisor: int) -> str:
    if divisor == 0:
        raise ToolError("division by zero")
    return str(dividend // divisor)


@server.tool
async def approve(target: str) -> str:
    board.note(f"approved {target}").set()
    return "approved"


@server.tool
async def ended(target: str) -> str:
    await board.note(f"ended {target}").wait()
    return f"the build of {target} has ended"


@server.tool
async def build_now(target: str, ctx: Context) -> str:
    try:
        await ctx.report_progress(1, 2, "waiting for approval")
        await board.note(f"approved {target}").wait()
        return f"built {target}"
    finally:
        board.note(f"ended {target}").set()


@server.tool
async def deploy_now(env: str, ctx: Context) -> str:
    answer = await ctx.elicit(f"Deploy to {env}?", bool)
    agreed = answer.action == "accept" and answer.data
    return f"deployed to {env}" if agreed else f"not deployed to {env}"


@server.tool(task=a_task)
async def build(target: str, ctx: Context) -> str:
    return await build_now(target, ctx)


@server.tool(task=a_task)
async def deploy(env: str, ctx: Context) -> str:
    return await deploy_now(env, ctx)


@server.tool(task=a_task)
async def import_file(file: str) -> str:
    raise ToolError(f"no such file: {file}")


@server.tool(task=a_task)
async def migrate() -> str:
    raise McpError(ErrorData(code=INTERNAL_ERROR, message="the migration broke off"))


serve(server)
