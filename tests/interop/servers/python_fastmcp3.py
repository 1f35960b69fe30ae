"""The tools that the client is tried with, on PyPI's fastmcp 3.x: 2025-11-25 with its tasks.

python_fastmcp3.py: over HTTP on the port that `PORT` names, else over stdio.
"""

from datetime import timedelta

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.tasks import TaskConfig
from mcp.shared.exceptions import McpError
from mcp.types import INTERNAL_ERROR, ErrorData

from board import serve
from plain_tools import add_plain_tools, build_now

server = FastMCP("interop-peer", version="0")
a_task = TaskConfig(mode="optional", poll_interval=timedelta(milliseconds=50))
add_plain_tools(server)


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
