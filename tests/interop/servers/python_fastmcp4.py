"""The tools that the client is tried with, on PyPI's fastmcp 4.x: 2026-07-28 with the tasks extension.

python_fastmcp4.py: over HTTP on the port that `PORT` names, else over stdio.
"""

from datetime import timedelta

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.utilities.tasks import TaskConfig
from fastmcp_tasks import TasksExtension
from mcp import MCPError
from mcp_types import INTERNAL_ERROR, ElicitRequest, ElicitRequestFormParams, InputRequiredResult

from board import serve
from plain_tools import add_plain_tools, build_now

server = FastMCP("interop-peer", version="0")
server.add_extension(TasksExtension())
a_task = TaskConfig(mode="optional", poll_interval=timedelta(milliseconds=50))
form = {"type": "object", "properties": {"confirm": {"type": "boolean"}}, "required": ["confirm"]}
add_plain_tools(server)


@server.tool
async def deploy_now(env: str, ctx: Context) -> str | InputRequiredResult:
    if ctx.input_responses is None:
        question = ElicitRequestFormParams(message=f"Deploy to {env}?", requested_schema=form)
        return InputRequiredResult(input_requests={"confirm": ElicitRequest(params=question)})
    answer = ctx.input_responses["confirm"]
    agreed = answer.action == "accept" and answer.content["confirm"]
    return f"deployed to {env}" if agreed else f"not deployed to {env}"


@server.tool(task=a_task)
async def build(target: str, ctx: Context) -> str:
    return await build_now(target, ctx)


@server.tool(task=a_task)
async def deploy(env: str, ctx: Context) -> str | InputRequiredResult:
    return await deploy_now(env, ctx)


@server.tool(task=a_task)
async def import_file(file: str) -> str:
    raise ToolError(f"no such file: {file}")


@server.tool(task=a_task)
async def migrate() -> str:
    raise MCPError(code=INTERNAL_ERROR, message="the migration broke off")


serve(server)
