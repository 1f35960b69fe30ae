#[allow(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::unused_async)]
/// Deploys.
async fn deploy(env: String) -> String {
    env
}
#[doc(hidden)]
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub
)]
struct deploy {}
#[allow(deprecated, clippy::all, clippy::pedantic)]
const _: () = {
    use ::mcp_tasks::__private as __mcp;
    #[automatically_derived]
    impl __mcp::Tool for deploy {
        const SPEC: &'static __mcp::ToolSpec = &__mcp::ToolSpec::new(
                "deploy",
                "Deploys.",
                &[__mcp::ParamSpec::new("env")],
                ::core::file!(),
                ::core::line!(),
            )
            .keep(::core::time::Duration::from_millis(600000u64))
            .begin_manual()
            .task_required()
            .timeout(LIMIT)
            .needs_elicitation();
        fn describe(d: &mut __mcp::Describe) {
            <String as __mcp::Param<_>>::describe(&Self::SPEC.params()[0], d);
            <String as __mcp::Returned>::describe(d);
        }
        fn start(
            call: &__mcp::Call<'_>,
        ) -> __mcp::Result<__mcp::BoxFuture<'static, __mcp::Output>, __mcp::Faults> {
            let mut faults = __mcp::Call::faults(call, Self::SPEC);
            let (__mcp::Some(a0),) = (
                <String as __mcp::Param<
                    _,
                >>::take(&Self::SPEC.params()[0], call, &mut faults, __mcp::None),
            ) else {
                return __mcp::Err(faults);
            };
            __mcp::Faults::none(faults)?;
            __mcp::Ok(__mcp::run(deploy(a0), <String as __mcp::Returned>::into_output))
        }
    }
};
