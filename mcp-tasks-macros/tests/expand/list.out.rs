fn list() {
    const TOOLS: &[::mcp_tasks::__private::ToolEntry] = &[
        <search as ::mcp_tasks::__private::Listed>::ENTRY,
        #[cfg(feature = "ping")]
        <ping as ::mcp_tasks::__private::Listed>::ENTRY,
        <jobs::deploy as ::mcp_tasks::__private::Listed>::ENTRY,
        <hash as ::mcp_tasks::__private::Listed>::ENTRY,
    ];
    #[cfg(feature = "ping")]
    const _: () = ::mcp_tasks::__private::unique(TOOLS, 1usize);
    const _: () = ::mcp_tasks::__private::unique(
        TOOLS,
        1usize + ::core::cfg!(all(feature = "ping")) as usize,
    );
    const _: () = ::mcp_tasks::__private::unique(
        TOOLS,
        2usize + ::core::cfg!(all(feature = "ping")) as usize,
    );
    ::mcp_tasks::__private::Tools::new(TOOLS, ::core::env!("CARGO_PKG_VERSION"))
}
