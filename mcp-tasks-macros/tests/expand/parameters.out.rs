#[allow(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::unused_async)]
/// Searches the archive.
///
/// Newest first.
pub async fn search(
    query: String,
    limit: u32,
    tags: Vec<String>,
    ctx: Context,
    State(db): State<Db>,
) -> Result<Json<Hits>, ToolError> {
    db.search(ctx, query, limit, tags).await
}
#[doc(hidden)]
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub
)]
pub struct search {}
#[allow(deprecated, clippy::all, clippy::pedantic)]
const _: () = {
    use ::mcp_tasks::__private as __mcp;
    #[automatically_derived]
    impl __mcp::Tool for search {
        const SPEC: &'static __mcp::ToolSpec = &__mcp::ToolSpec::new(
                "search",
                "Searches the archive.\n\nNewest first.",
                &[
                    __mcp::ParamSpec::new("query")
                        .description("What to look for")
                        .min_len(1),
                    __mcp::ParamSpec::new("limit")
                        .has_default()
                        .default_json("10")
                        .max(__mcp::Number::Int(50i128)),
                    __mcp::ParamSpec::new("tag").has_default(),
                    __mcp::ParamSpec::new("ctx"),
                ],
                ::core::file!(),
                ::core::line!(),
            )
            .title("Search")
            .read_only(true)
            .max_running(4);
        fn describe(d: &mut __mcp::Describe) {
            <String as __mcp::Param<_>>::describe(&Self::SPEC.params()[0], d);
            <u32 as __mcp::Param<_>>::describe(&Self::SPEC.params()[1], d);
            <Vec<String> as __mcp::Param<_>>::describe(&Self::SPEC.params()[2], d);
            <Context as __mcp::Param<_>>::describe(&Self::SPEC.params()[3], d);
            <State<Db> as __mcp::Unnamed<_>>::describe(d);
            <Result<Json<Hits>, ToolError> as __mcp::Returned>::describe(d);
        }
        fn start(
            call: &__mcp::Call<'_>,
        ) -> __mcp::Result<__mcp::BoxFuture<'static, __mcp::Output>, __mcp::Faults> {
            let mut faults = __mcp::Call::faults(call, Self::SPEC);
            let (
                __mcp::Some(a0),
                __mcp::Some(a1),
                __mcp::Some(a2),
                __mcp::Some(a3),
                __mcp::Some(a4),
            ) = (
                <String as __mcp::Param<
                    _,
                >>::take(&Self::SPEC.params()[0], call, &mut faults, __mcp::None),
                <u32 as __mcp::Param<
                    _,
                >>::take(&Self::SPEC.params()[1], call, &mut faults, __mcp::Some(|| 10)),
                <Vec<
                    String,
                > as __mcp::Param<
                    _,
                >>::take(
                    &Self::SPEC.params()[2],
                    call,
                    &mut faults,
                    __mcp::Some(::core::default::Default::default),
                ),
                <Context as __mcp::Param<
                    _,
                >>::take(&Self::SPEC.params()[3], call, &mut faults, __mcp::None),
                <State<Db> as __mcp::Unnamed<_>>::take(call, &mut faults),
            ) else {
                return __mcp::Err(faults);
            };
            __mcp::Faults::none(faults)?;
            __mcp::Ok(
                __mcp::run(
                    search(a0, a1, a2, a3, a4),
                    <Result<Json<Hits>, ToolError> as __mcp::Returned>::into_output,
                ),
            )
        }
    }
};
