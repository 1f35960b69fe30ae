"""PyPI's fastmcp 4.x with its tasks: 2026-07-28, with the tasks extension declared and without.

python_fastmcp.py http URL | stdio PROGRAM
"""

import sys

import anyio
import httpx2
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import MCPError

from report import NothingToTry, expect, report


class Checks:
    def __init__(self, transport, where):
        self._answers = []
        self._asked = []
        self._requests = []

        def client():
            if transport == "http":
                server = StreamableHttpTransport(where, httpx_client_factory=self._http)
            else:
                server = StdioTransport(where, [])
            return Client(server, elicitation_handler=self._answer)

        self._plain = client()
        # From this import on, each new client declares the extension.
        from fastmcp_tasks import call_tool_task

        self._tasks = client()
        self._call_tool_task = call_tool_task

    def _http(self, **options):
        async def keep(request):
            self._requests.append(request.headers)

        return httpx2.AsyncClient(**options, event_hooks={"request": [keep]})

    async def _answer(self, message, _type, _params, _context):
        self._asked.append(message)
        return self._answers.pop(0)

    async def _start(self, tool, arguments):
        task = await self._call_tool_task(self._tasks, tool, arguments)
        expect(task.create_result.status, "working")
        return task

    async def _begun(self, task):
        """Waits until the function runs: one that is cancelled before that never does."""
        while (await task.status()).status_message != "waiting for approval (50%)":
            await anyio.sleep(task.create_result.poll_interval_ms / 1000)

    async def connect(self):
        for client in (self._plain, self._tasks):
            expect(client.protocol_version, "2026-07-28")
            expect(client.server_info.name, "interop-server")
            expect(client.server_capabilities.extensions, {"io.modelcontextprotocol/tasks": {}})

    async def list_tools(self):
        tools = [tool.name for tool in await self._plain.list_tools()]
        expect(("greet" in tools, "deploy" in tools), (True, True))

    async def plain_result(self):
        result = await self._plain.call_tool("greet", {"name": "Ada"})
        expect(text(result), "Hello, Ada!")

    async def structured_result(self):
        result = await self._plain.call_tool("statistics", {"numbers": [1, 2.5]})
        expect(result.structured_content, {"count": 2, "sum": 3.5})

    async def error_result(self):
        await refused("division by zero", self._plain.call_tool("divide", {"dividend": 1, "divisor": 0}))

    async def call_progress(self):
        seen = []

        async def progress(*now):
            seen.append(now)
            if len(seen) == 1:
                group.start_soon(self._plain.call_tool, "approve", {"target": "inline"})

        async with anyio.create_task_group() as group:
            result = await self._plain.call_tool("build", {"target": "inline"}, progress_handler=progress)
        expect(text(result), "built inline")
        expect(seen, [(1, 2, "waiting for approval"), (2, 2, "linking")])

    async def call_question(self):
        self._answers = [{"confirm": True}]
        expect(text(await self._plain.call_tool("deploy", {"env": "test"})), "deployed to test")
        expect(self._asked[-1], "Deploy to test?")

    async def call_cancel(self):
        async def give_up(*_now):
            scope.cancel()

        target = {"target": "given up"}
        with anyio.CancelScope() as scope:
            await self._plain.call_tool("build", target, progress_handler=give_up)
        expect(scope.cancelled_caught, True)
        expect(text(await self._plain.call_tool("ended", target)), "the build of given up has ended")

    async def task_create(self):
        self._build = await self._start("build", {"target": "task"})

    async def task_poll(self):
        expect((await self._build.status()).status, "working")
        await self._tasks.call_tool("approve", {"target": "task"})
        expect((await self._build.wait()).status, "completed")
        polls = [headers for headers in self._requests if headers["mcp-method"] == "tasks/get"]
        if any("mcp-name" not in headers for headers in polls):
            return (
                "Sends the `tasks/` methods without the `Mcp-Name` header that the extension asks for; "
                "the server takes them."
            )

    async def task_result(self):
        expect(text(await self._build.result()), "built task")

    async def task_progress(self):
        task = await self._start("build", {"target": "told"})
        await self._begun(task)
        await self._tasks.call_tool("approve", {"target": "told"})
        expect(text(await task.result()), "built told")

    async def task_question(self):
        self._answers = [{"confirm": True}]
        task = await self._start("deploy", {"env": "prod"})
        parked = await task.wait(state="input_required")
        expect(list(parked.input_requests), ["confirm"])
        expect(text(await task.result()), "deployed to prod")
        expect(self._asked[-1], "Deploy to prod?")

    async def task_question_on_result(self):
        raise NothingToTry("This revision has no `tasks/result`; questions stand in the task.")

    async def task_form(self):
        self._answers = [{"name": "Ada", "guests": 4, "area": "Hall", "high_chair": True}]
        result = await self._tasks.call_tool("book_table", {"day": "2026-07-28"})
        expect(text(result), "2026-07-28: Ada, 4 in Hall, high chair")

    async def task_decline(self):
        self._answers = [ElicitResult(action="decline")]
        expect(text(await self._tasks.call_tool("deploy", {"env": "prod"})), "not deployed to prod")

    async def task_cancel(self):
        task = await self._start("build", {"target": "cancelled"})
        await self._begun(task)
        await task.cancel()
        expect((await task.wait()).status, "cancelled")
        result = await self._tasks.call_tool("ended", {"target": "cancelled"})
        expect(text(result), "the build of cancelled has ended")

    async def task_error_result(self):
        task = await self._start("import", {"file": "a.csv"})
        expect((await task.wait()).status, "completed")
        await refused("no such file: a.csv", task.result())

    async def task_failure(self):
        task = await self._start("migrate", {})
        failed = await task.wait()
        expect((failed.status, failed.error["code"]), ("failed", -32603))
        await refused("the migration broke off", task.result())

    async def task_list(self):
        raise NothingToTry("This revision has no `tasks/list`.")

    async def plain_tool_as_task(self):
        expect(text(await self._tasks.call_tool("greet", {"name": "Ada"})), "Hello, Ada!")


def text(result):
    return result.content[0].text


async def refused(text, call):
    try:
        await call
    except (ToolError, MCPError) as error:
        return expect(str(error), text)
    raise AssertionError("no error came")


async def main(transport, where):
    checks = Checks(transport, where)
    async with checks._plain, checks._tasks:
        await report("fastmcp", transport, "2026-07-28", checks)


anyio.run(main, *sys.argv[1:])
