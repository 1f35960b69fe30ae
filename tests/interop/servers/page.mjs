// What the page on servers says beside its table, and the features in the table's order.

export const introduction = `What the client of this crate does with servers that are made with other projects' crates and packages: each as it is
installed, in the version that the table names, with the same tools. Every client finds out by itself what the server
speaks.

\`tests/interop/servers/run\` tries every feature with each of them and writes this page from what it finds; CI fails
where the page says something else. A no is the server's, and the client copes with it; a dash stands where there is
nothing to try. The command line is tried with the same servers, in a terminal and in scripts.`;

export const features = {
  connect: "agrees on the revision and reads who the server is",
  list_tools: "lists the tools",
  plain_result: "a text as result",
  error_result: "a result with `isError`",
  unknown_tool: "a tool that does not exist",
  call_progress: "progress of a call without a task",
  call_question: "a question in a call without a task",
  call_decline: "declines it",
  call_cancel: "gives up a call without a task, and the function stops",
  task_tool_plainly: "calls a tool for tasks without one",
  task_result: "a call becomes a task, and its result is the call's",
  task_result_early: "`tasks/result` before the end, where 2025-11-25 has questions: waits for it",
  task_progress: "sees its progress",
  task_question: "answers its question, once",
  task_decline: "declines it",
  task_cancel: "cancels a task, and the function stops",
  task_drop: "drops a call that is a task, and the function stops",
  task_resume: "leaves a task and comes back to it, over HTTP by another client",
  task_list: "lists its tasks",
  task_error_result: "a task that ends in a result with `isError`",
  task_failure: "a task that ends in a protocol error",
  task_unknown: "a task that the server does not know",
};
