// What the page on clients says beside its table, and the features in the table's order.

export const introduction = `What the clients that other projects publish do with a server of this crate: each as it is installed, in the
version that the table names, with the same tools.

\`tests/interop/run\` tries every feature with each of them and writes this page from what it finds; CI fails where the
page says something else. A dash stands where there is nothing to try.`;

export const features = {
  connect: "agrees on the revision and reads what the server offers",
  list_tools: "lists the tools",
  plain_result: "a text as result",
  structured_result: "structured content, checked against the tool's output schema",
  error_result: "a result with `isError`",
  call_progress: "progress of a call without a task",
  call_question: "a question in a call without a task",
  call_cancel: "gives up a call without a task, and the function stops",
  task_create: "starts a task",
  task_poll: "polls it from `working` to `completed`",
  task_result: "fetches its result",
  task_progress: "sees its progress",
  task_question: "answers its question",
  task_question_on_result: "gets the question on the stream of `tasks/result`, without another stream",
  task_form: "fills in a form of text, number, choice and box",
  task_decline: "declines",
  task_cancel: "cancels a task, and the function stops",
  task_error_result: "a task that ends in `Err(error)`",
  task_failure: "a task that ends in a protocol error",
  task_list: "lists its tasks",
  plain_tool_as_task: "a tool without tasks: refused as a task where tasks are asked for, else its result",
};
