"""PyPI's mcp 1.x: 2025-11-25 with its tasks.

python_mcp.py http URL | stdio PROGRAM
"""

import sys
import warnings
from contextlib import asynccontextmanager
from datetime import timedelta

import anyio
import httpx
from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from report import Cannot, NothingToTry, expect, report


class Checks:
    def __init__(self, transport, where):
        self._transport = transport
        self._where = where
        self._answers = []
        self._asked = []
        self._progress = []
        self._progressed = anyio.Event()

    async def _answer(self, _context, question):
        self._asked.append(question.message)
        return self._answers.pop(0)

    async def _message(self, message):
        match message:
            case types.ServerNotification(root=types.ProgressNotification(params=params)):
                self._progress.append((params.progress, params.total, params.message))
                self._progressed.set()

    @asynccontextmanager
    async def _connected(self, http=None):
        """A session, and what the server said in its handshake; `http` is the HTTP client to use."""
        async with (
            streams(self._transport, self._where, http) as (read, write),
            ClientSession(read, write, elicitation_callback=self._answer, message_handler=self._message) as session,
        ):
            yield session, await session.initialize()

    async def _start(self, tool, arguments, meta=None):
        created = await self._session.experimental.call_tool_as_task(tool, arguments, meta=meta)
        expect(created.task.status, "working")
        return created.task.taskId

    async def _begun(self, task):
        """Waits until the function runs: one that is cancelled before that never does."""
        async for polled in self._session.experimental.poll_task(task):
            if polled.statusMessage == "waiting for approval (50%)":
                return
        raise AssertionError("the task ended first")

    async def _end(self, task):
        return [polled.status async for polled in self._session.experimental.poll_task(task)][-1]

    async def _result(self, task):
        return await self._session.experimental.get_task_result(task, types.CallToolResult)

    async def connect(self):
        expect(self._hello.protocolVersion, "2025-11-25")
        expect(self._hello.serverInfo.name, "interop-server")
        tasks = self._hello.capabilities.tasks
        expect(tasks.requests.tools.call is not None and tasks.cancel is not None, True)

    async def list_tools(self):
        tools = {tool.name: tool for tool in (await self._session.list_tools()).tools}
        expect(tools["greet"].execution, None)
        expect(tools["deploy"].execution.taskSupport, "optional")

    async def plain_result(self):
        result = await self._session.call_tool("greet", {"name": "Ada"})
        expect(text(result), "Hello, Ada!")

    async def structured_result(self):
        result = await self._session.call_tool("statistics", {"numbers": [1, 2.5]})
        expect(result.structuredContent, {"count": 2, "sum": 3.5})

    async def error_result(self):
        result = await self._session.call_tool("divide", {"dividend": 1, "divisor": 0})
        expect((result.isError, text(result)), (True, "division by zero"))

    async def call_progress(self):
        seen = []

        async def progress(*now):
            seen.append(now)
            if len(seen) == 1:
                group.start_soon(self._session.call_tool, "approve", {"target": "inline"})

        async with anyio.create_task_group() as group:
            result = await self._session.call_tool("build", {"target": "inline"}, progress_callback=progress)
        expect(text(result), "built inline")
        expect(seen, [(1, 2, "waiting for approval"), (2, 2, "linking")])

    async def call_question(self):
        self._answers = [accept({"confirm": True})]
        result = await self._session.call_tool("deploy", {"env": "test"})
        expect(text(result), "deployed to test")

    async def call_cancel(self):
        target = {"target": "given up"}
        error = await refusal(self._session.call_tool("build", target, timedelta(seconds=0.2)))
        expect(error.code, 408)
        try:
            result = await self._session.call_tool("ended", target, timedelta(seconds=1))
        except McpError:
            await self._session.call_tool("approve", target)
            raise Cannot("The client stops waiting, but does not say so to the server.") from None
        expect(text(result), "the build of given up has ended")

    async def task_create(self):
        self._build = await self._start("build", {"target": "task"})

    async def task_poll(self):
        statuses = []
        async for polled in self._session.experimental.poll_task(self._build):
            statuses.append(polled.status)
            if len(statuses) == 1:
                await self._session.call_tool("approve", {"target": "task"})
        expect((statuses[0], statuses[-1]), ("working", "completed"))

    async def task_result(self):
        expect(text(await self._result(self._build)), "built task")

    async def task_progress(self):
        self._progress.clear()
        task = await self._start("build", {"target": "told"}, meta={"progressToken": "told"})
        await self._session.call_tool("approve", {"target": "told"})
        expect(text(await self._result(task)), "built told")
        while not self._progress or self._progress[-1] != (2, 2, "linking"):
            self._progressed = anyio.Event()
            await self._progressed.wait()

    async def task_question(self):
        self._answers = [accept({"confirm": True})]
        task = await self._start("deploy", {"env": "prod"})
        expect(text(await self._result(task)), "deployed to prod")
        expect(self._asked[-1], "Deploy to prod?")

    async def task_form(self):
        booking = {"name": "Ada", "guests": 4, "area": "Hall", "high_chair": True}
        self._answers = [accept(booking)]
        task = await self._start("book_table", {"day": "2026-07-28"})
        expect(text(await self._result(task)), "2026-07-28: Ada, 4 in Hall, high chair")

    async def task_decline(self):
        self._answers = [types.ElicitResult(action="decline")]
        task = await self._start("deploy", {"env": "prod"})
        expect(text(await self._result(task)), "not deployed to prod")

    async def task_question_on_result(self):
        if self._transport == "stdio":
            raise NothingToTry("Over stdio there is one stream for everything.")
        self._answers = [accept({"confirm": True})]
        async with (
            httpx.AsyncClient(transport=NoGet(), timeout=60) as http,
            self._connected(http) as (session, _),
        ):
            tasks = session.experimental
            task = (await tasks.call_tool_as_task("deploy", {"env": "prod"})).task.taskId
            async for polled in tasks.poll_task(task):
                if polled.status == "input_required":
                    break
            result = await tasks.get_task_result(task, types.CallToolResult)
        expect(text(result), "deployed to prod")

    async def task_cancel(self):
        task = await self._start("build", {"target": "cancelled"})
        await self._begun(task)
        cancelled = await self._session.experimental.cancel_task(task)
        expect(cancelled.status, "cancelled")
        result = await self._session.call_tool("ended", {"target": "cancelled"})
        expect(text(result), "the build of cancelled has ended")

    async def task_error_result(self):
        task = await self._start("import", {"file": "a.csv"})
        expect(await self._end(task), "failed")
        result = await self._result(task)
        expect((result.isError, text(result)), (True, "no such file: a.csv"))

    async def task_failure(self):
        task = await self._start("migrate", {})
        expect(await self._end(task), "failed")
        error = await refusal(self._result(task))
        expect((error.code, error.message), (-32603, "the migration broke off"))

    async def task_list(self):
        if self._hello.capabilities.tasks.list is None:
            raise NothingToTry("The server lists tasks only to callers that it knows; over HTTP this one is anonymous.")
        tasks = (await self._session.experimental.list_tasks()).tasks
        expect(self._build in [task.taskId for task in tasks], True)

    async def plain_tool_as_task(self):
        error = await refusal(self._start("greet", {"name": "Ada"}))
        expect(error.code, -32601)


def text(result):
    return result.content[0].text


def accept(content):
    return types.ElicitResult(action="accept", content=content)


async def refusal(request):
    try:
        await request
    except McpError as refused:
        return refused.error
    raise AssertionError("no error came")


class NoGet(httpx.AsyncHTTPTransport):
    """Refuses the stream that is no answer to a request, as some proxies do."""

    async def handle_async_request(self, request):
        if request.method == "GET":
            return httpx.Response(405)
        return await super().handle_async_request(request)


@asynccontextmanager
async def streams(transport, where, http):
    if transport == "http":
        async with streamable_http_client(where, http_client=http) as (read, write, _):
            yield read, write
    else:
        async with stdio_client(StdioServerParameters(command=where)) as (read, write):
            yield read, write


async def main(transport, where):
    checks = Checks(transport, where)
    async with checks._connected() as (session, hello):
        checks._session = session
        checks._hello = hello
        await report("mcp", transport, "2025-11-25", checks)


warnings.simplefilter("ignore", DeprecationWarning)
anyio.run(main, *sys.argv[1:])
