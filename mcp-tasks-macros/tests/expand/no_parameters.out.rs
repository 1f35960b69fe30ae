#[allow(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::unused_async)]
/// Answers.
#[cfg(feature = "ping")]
async fn ping() {}
#[cfg(feature = "ping")]
#[doc(hidden)]
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub
)]
struct ping {}
#[cfg(feature = "ping")]
#[allow(deprecated, clippy::all, clippy::pedantic)]
const _: () = {
    use ::mcp_tasks::__private as __mcp;
    #[automatically_derived]
    impl __mcp::Tool for ping {
        const SPEC: &'static __mcp::ToolSpec = &__mcp::ToolSpec::new(
            "ping",
            "Answers.",
            &[],
            ::core::file!(),
            ::core::line!(),
        );
        fn describe(d: &mut __mcp::Describe) {
            <() as __mcp::Returned>::describe(d);
        }
        fn start(
            call: &__mcp::Call<'_>,
        ) -> __mcp::Result<__mcp::BoxFuture<'static, __mcp::Output>, __mcp::Faults> {
            let faults = __mcp::Call::faults(call, Self::SPEC);
            __mcp::Faults::none(faults)?;
            __mcp::Ok(__mcp::run(ping(), <() as __mcp::Returned>::into_output))
        }
    }
};
