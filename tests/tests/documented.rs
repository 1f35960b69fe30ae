//! Every public item shows an example, or links to a page that does.
//!
//! The sources are read as syntax: what `lib.rs` exports, where it is defined, and what its documentation says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Expr, ImplItem, Item, Lit, Meta, TraitItem, Type, UseTree, Visibility};

fn crate_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-tasks")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A type, trait, function or macro that users can name.
struct Page {
    /// The public module that has it, where that is one with a folder of its own.
    module: Option<&'static str>,
    name: String,
    docs: String,
    /// Its methods, with their own documentation.
    parts: BTreeMap<String, String>,
}

impl Page {
    fn new(name: &str, attrs: &[Attribute], file: &Path) -> Self {
        Self {
            module: None,
            name: name.to_owned(),
            docs: docs(attrs, file),
            parts: BTreeMap::new(),
        }
    }

    /// The name with its module.
    fn title(&self) -> String {
        let module = self.module.map(|module| format!("{module}::"));
        format!("{}{}", module.unwrap_or_default(), self.name)
    }

    fn add(&mut self, part: &str, attrs: &[Attribute], file: &Path) {
        self.parts.insert(part.to_owned(), docs(attrs, file));
    }

    /// Code in the page's examples.
    fn code(&self) -> String {
        let all = self.parts.values().chain([&self.docs]);
        all.flat_map(|docs| fenced(docs)).collect()
    }
}

#[test]
fn every_public_item_shows_an_example_or_links_to_one() {
    let pages = pages();
    let shown = examples(&pages);
    let mut bare = Vec::new();
    for page in &pages {
        if !has_example(&page.docs) && !links_to(&page.docs, &shown) {
            bare.push(page.title());
        }
        let code = page.code();
        // Of these each method is a feature; those of other types make sense on their page.
        let each = ["Context", "Server", "client::Client"].contains(&page.title().as_str());
        for (part, docs) in page.parts.iter().filter(|_| each) {
            let called = [
                format!(".{part}("),
                format!(".{part}::<"),
                format!("::{part}("),
            ]
            .iter()
            .any(|call| code.contains(call.as_str()));
            if !called && !has_example(docs) && !links_to(docs, &shown) {
                bare.push(format!("{}::{part}", page.title()));
            }
        }
    }
    assert!(pages.len() > 100, "only {} pages were found", pages.len());
    assert!(
        bare.is_empty(),
        "{} items have no example and no link to one:\n{}",
        bare.len(),
        bare.join("\n")
    );
}

/// What a link may lead to: a page, a method, or a chapter of the guide that has an example.
fn examples(pages: &[Page]) -> BTreeSet<String> {
    let mut shown = BTreeSet::new();
    for page in pages {
        if has_example(&page.docs) {
            shown.insert(page.name.clone());
        }
        for (part, docs) in &page.parts {
            if has_example(docs) {
                shown.insert(format!("{}::{part}", page.name));
            }
        }
    }
    for entry in fs::read_dir(crate_dir().join("docs/guide")).unwrap() {
        let path = entry.unwrap().path();
        if has_example(&read(&path)) {
            let chapter = path.file_stem().unwrap().to_str().unwrap();
            shown.insert(format!("guide::{chapter}"));
        }
    }
    shown
}

fn has_example(docs: &str) -> bool {
    fenced(docs).next().is_some()
}

/// The code blocks of a text that rustdoc compiles.
fn fenced(docs: &str) -> impl Iterator<Item = &str> {
    let mut blocks = docs.split("```").skip(1).step_by(2);
    std::iter::from_fn(move || {
        blocks.find(|block| {
            let info = block.lines().next().unwrap_or_default().trim();
            info.split(',')
                .all(|word| matches!(word, "" | "no_run" | "ignore-windows"))
        })
    })
}

fn links_to(docs: &str, shown: &BTreeSet<String>) -> bool {
    let outside = docs.split("```").step_by(2).collect::<String>();
    let mut targets = outside.split('[').skip(1).filter_map(|rest| {
        let (text, after) = rest.split_once(']')?;
        let target = match after.strip_prefix('(') {
            Some(link) => link.split_once(')')?.0,
            None => text,
        };
        let target = target.trim_matches('`').split('#').next()?;
        let path = target.rsplit('@').next()?.trim_end_matches("()");
        let path: Vec<String> = path.split("::").map(str::to_owned).collect();
        let last = &path[path.len().saturating_sub(2)..];
        // A method's page is that of its type.
        Some([
            last.join("::"),
            last[0].clone(),
            last[last.len() - 1].clone(),
        ])
    });
    targets.any(|names| names.iter().any(|name| shown.contains(name)))
}

/// Modules of the crate that are public and have a folder of their own.
const MODULES: [&str; 2] = ["client", "testing"];

/// Everything that `lib.rs` and the public modules export, but for what is hidden.
fn pages() -> Vec<Page> {
    let src = crate_dir().join("src");
    let mut exported = Vec::new();
    let mut pages = Vec::new();
    let root = src.join("lib.rs");
    let items = syntax(&root).items;
    exports(&items, &root, &mut exported, &mut pages);
    let folders: Vec<String> = items
        .iter()
        .filter_map(folder)
        .filter(|name| !["guide", "prelude"].contains(&name.as_str()))
        .collect();
    assert_eq!(folders, MODULES, "public modules that `lib.rs` names");
    for module in MODULES {
        of_module(module, &src, &mut exported, &mut pages);
    }
    exported.sort();
    exported.dedup();
    let sources = sources(&src);
    for (path, name) in exported {
        let here = |source: &&Source| source.0.starts_with(&path);
        let mut defined = sources
            .iter()
            .filter(here)
            .filter_map(|source| define(&name, source));
        let Some(mut page) = defined.next() else {
            panic!("nothing defines `{}::{name}`", path.join("::"));
        };
        assert!(
            defined.next().is_none(),
            "`{}::{name}` is defined twice",
            path.join("::")
        );
        let alone = sources
            .iter()
            .filter_map(|source| define(&name, source))
            .count()
            == 1;
        // The methods of a type may stand anywhere; where two types have its name, beside it.
        page.module = MODULES.into_iter().find(|module| path[0] == *module);
        for source in sources
            .iter()
            .filter(|source| alone || source.0.starts_with(&path))
        {
            methods(&mut page, source);
        }
        pages.push(page);
    }
    pages
}

/// The name of a public module that stands in files of its own.
fn folder(item: &Item) -> Option<String> {
    match item {
        Item::Mod(module) if module.content.is_none() => {
            let shown = is_public(&module.vis) && !is_hidden(&module.attrs);
            shown.then(|| module.ident.to_string())
        }
        _ => None,
    }
}

/// What the module at `src/module/mod.rs` exports and defines.
fn of_module(
    module: &str,
    src: &Path,
    exported: &mut Vec<(Vec<String>, String)>,
    pages: &mut Vec<Page>,
) {
    let file = src.join(module).join("mod.rs");
    let items = syntax(&file).items;
    let mut own = Vec::new();
    exports(&items, &file, &mut own, pages);
    exported.extend(own.into_iter().map(|(mut path, name)| {
        // A path from the crate's root names a folder there.
        if !["model", "server", "task"].contains(&&*path[0]) {
            path.insert(0, module.to_owned());
        }
        (path, name)
    }));
    for item in &items {
        match item {
            Item::Fn(function) if is_public(&function.vis) => {
                let name = function.sig.ident.to_string();
                pages.push(Page::new(&name, &function.attrs, &file));
            }
            Item::Struct(item) if is_public(&item.vis) => {
                exported.push((vec![module.to_owned()], item.ident.to_string()));
            }
            _ => {}
        }
    }
}

type Source = (Vec<String>, PathBuf, syn::File);

/// Every source file but those of tests, with the path of its module.
fn sources(src: &Path) -> Vec<Source> {
    let mut found = Vec::new();
    let mut open = vec![src.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let module = path.strip_prefix(src).unwrap().with_extension("");
                let module: Vec<String> = module
                    .iter()
                    .map(|part| part.to_str().unwrap().to_owned())
                    .filter(|part| part != "mod")
                    .collect();
                if !module.iter().any(|part| part == "tests") {
                    let file = syntax(&path);
                    found.push((module, path, file));
                }
            }
        }
    }
    found
}

fn syntax(path: &Path) -> syn::File {
    syn::parse_file(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The `pub use`s of a module and of the modules written out in it, as module paths and names; what another crate
/// defines is a page by the documentation that stands at its `use`.
fn exports(
    items: &[Item],
    file: &Path,
    exported: &mut Vec<(Vec<String>, String)>,
    pages: &mut Vec<Page>,
) {
    for item in items {
        match item {
            Item::Use(item) if is_public(&item.vis) => {
                let mut names = Vec::new();
                leaves(&item.tree, &mut Vec::new(), &mut names);
                for (mut path, name) in names {
                    match path.first().map(String::as_str) {
                        Some("crate" | "self") => {
                            path.remove(0);
                            exported.push((path, name));
                        }
                        Some("mcp_tasks_macros") => pages.push(Page::new(&name, &item.attrs, file)),
                        // Types of other crates have pages of their own.
                        _ => {}
                    }
                }
            }
            // What a store of one's own is written with makes sense together: its module has the example.
            Item::Mod(module) if module.ident == "store" && is_public(&module.vis) => {
                pages.push(Page::new("store", &module.attrs, file));
            }
            Item::Mod(module) if is_public(&module.vis) && !is_hidden(&module.attrs) => {
                if let Some((_, items)) = &module.content
                    && !items.is_empty()
                {
                    pages.push(Page::new(&module.ident.to_string(), &module.attrs, file));
                    exports(items, file, exported, pages);
                }
            }
            _ => {}
        }
    }
}

fn leaves(tree: &UseTree, path: &mut Vec<String>, names: &mut Vec<(Vec<String>, String)>) {
    match tree {
        UseTree::Path(step) => {
            path.push(step.ident.to_string());
            leaves(&step.tree, path, names);
            path.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                leaves(tree, path, names);
            }
        }
        UseTree::Name(name) => names.push((path.clone(), name.ident.to_string())),
        UseTree::Rename(_) | UseTree::Glob(_) => panic!("exports are named one by one"),
    }
}

/// The page of `name`, if the file defines it.
fn define(name: &str, (_, file, syntax): &Source) -> Option<Page> {
    syntax.items.iter().find_map(|item| {
        let (ident, attrs) = match item {
            Item::Struct(item) => (&item.ident, &item.attrs),
            Item::Enum(item) => (&item.ident, &item.attrs),
            Item::Trait(item) => (&item.ident, &item.attrs),
            Item::Type(item) => (&item.ident, &item.attrs),
            // A constructor that is called like its type is on the type's page.
            Item::Fn(item) if !name.starts_with(char::is_uppercase) => {
                (&item.sig.ident, &item.attrs)
            }
            _ => return None,
        };
        if ident != name {
            return None;
        }
        let mut page = Page::new(name, attrs, file);
        if let Item::Trait(item) = item {
            for part in &item.items {
                if let TraitItem::Fn(function) = part
                    && !is_hidden(&function.attrs)
                {
                    page.add(&function.sig.ident.to_string(), &function.attrs, file);
                }
            }
        }
        Some(page)
    })
}

/// Adds the public methods that the file gives the page's type.
fn methods(page: &mut Page, (_, file, syntax): &Source) {
    for item in &syntax.items {
        let Item::Impl(item) = item else { continue };
        let of_page = matches!(&*item.self_ty, Type::Path(path)
            if path.path.segments.last().is_some_and(|last| last.ident == page.name));
        if item.trait_.is_some() || !of_page {
            continue;
        }
        for part in &item.items {
            if let ImplItem::Fn(function) = part
                && is_public(&function.vis)
                && !is_hidden(&function.attrs)
            {
                page.add(&function.sig.ident.to_string(), &function.attrs, file);
            }
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_hidden(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        matches!(&attr.meta, Meta::List(list)
            if list.path.is_ident("doc") && list.tokens.to_string() == "hidden")
    })
}

/// The documentation among `attrs`, with what it includes from files.
fn docs(attrs: &[Attribute], file: &Path) -> String {
    let mut text = String::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        match &attr.meta {
            Meta::NameValue(doc) => match &doc.value {
                Expr::Lit(lit) => {
                    if let Lit::Str(line) = &lit.lit {
                        text.push_str(line.value().strip_prefix(' ').unwrap_or(&line.value()));
                    }
                }
                Expr::Macro(include) => {
                    let path: syn::LitStr = include.mac.parse_body().unwrap();
                    text.push_str(&read(&file.parent().unwrap().join(path.value())));
                }
                _ => panic!(
                    "{}: documentation that this test cannot read",
                    file.display()
                ),
            },
            _ => continue,
        }
        text.push('\n');
    }
    text
}
