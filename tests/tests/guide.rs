//! What the guide says in tables that a program can read is so.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mcp_tasks::Limits;
use syn::{Expr, Fields, Item, Lit, Meta};

fn crate_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-tasks")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn chapter(name: &str) -> String {
    read(
        &crate_dir()
            .join("docs/guide")
            .join(name)
            .with_extension("md"),
    )
}

/// The first two columns of the table below this head: a name in backticks, and what stands beside it.
fn table(text: &str, head: &str) -> BTreeMap<String, String> {
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with(head))
        .skip(2);
    let rows: BTreeMap<_, _> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let mut cells = line.split('|').skip(1).map(str::trim);
            let name = cells.next().unwrap().trim_matches('`').to_owned();
            (name, cells.next().unwrap().to_owned())
        })
        .collect();
    assert!(!rows.is_empty(), "there is no table with the head {head:?}");
    rows
}

/// A duration, a size or a number, as the guide writes it, in the way that `Debug` does.
fn debug(written: &str) -> String {
    let (number, unit) = written.split_once(' ').unwrap_or((written, ""));
    let number: u64 = number
        .replace(',', "")
        .parse()
        .unwrap_or_else(|_| panic!("{written:?}"));
    match unit {
        "" => number.to_string(),
        "KiB" => (number << 10).to_string(),
        "MiB" => (number << 20).to_string(),
        "s" => format!("{number}s"),
        "min" => format!("{}s", number * 60),
        "h" => format!("{}s", number * 3600),
        _ => panic!("unknown unit in {written:?}"),
    }
}

#[test]
fn every_limit_is_in_the_table_with_its_default() {
    let written: BTreeMap<_, _> = table(&chapter("limits"), "| limit | default |")
        .into_iter()
        .map(|(name, default)| (name, debug(&default)))
        .collect();
    let shown = format!("{:#?}", Limits::default());
    let real: BTreeMap<_, _> = shown
        .lines()
        .filter_map(|line| line.trim().trim_end_matches(',').split_once(": "))
        .map(|(name, default)| (name.to_owned(), default.to_owned()))
        .collect();
    assert_eq!(written, real);
}

#[test]
fn every_limit_says_the_same_default_on_its_own_page() {
    let source = read(&crate_dir().join("src/server/limits.rs"));
    let written = table(&chapter("limits"), "| limit | default |");
    let file = syn::parse_file(&source).unwrap();
    let fields = file.items.iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == "Limits" => match &item.fields {
            Fields::Named(fields) => Some(&fields.named),
            _ => None,
        },
        _ => None,
    });
    for field in fields.expect("the struct `Limits`") {
        let docs: Vec<String> = field
            .attrs
            .iter()
            .filter_map(|attr| match &attr.meta {
                Meta::NameValue(doc) => Some(&doc.value),
                _ => None,
            })
            .filter_map(|value| match value {
                Expr::Lit(lit) => Some(&lit.lit),
                _ => None,
            })
            .filter_map(|lit| match lit {
                Lit::Str(line) => Some(line.value()),
                _ => None,
            })
            .collect();
        let docs = docs.concat();
        let name = field.ident.as_ref().unwrap().to_string();
        let default = format!("Default {}.", written[&name]);
        assert!(
            docs.ends_with(&default),
            "`{name}` does not end with {default:?}: {docs}"
        );
    }
}

#[test]
fn public_dependencies_have_the_version_that_the_guide_names() {
    let manifest = read(&crate_dir().join("../Cargo.toml"));
    for (name, version) in table(&chapter("versions"), "| crate | version |") {
        let line = manifest
            .lines()
            .find(|line| line.starts_with(&format!("{name} = ")));
        let line = line.unwrap_or_else(|| panic!("`{name}` is no dependency"));
        let required = line.split('"').nth(1).unwrap();
        let compatible = format!("{required}.").starts_with(&format!("{version}."));
        assert!(
            compatible,
            "the guide says {name} {version}, the manifest {required}"
        );
    }
}

#[test]
fn every_file_in_the_folder_is_a_chapter() {
    let module = read(&crate_dir().join("src/guide.rs"));
    let overview = chapter("overview");
    let readme = read(&crate_dir().join("README.md"));
    for entry in fs::read_dir(crate_dir().join("docs/guide")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if name == "overview" {
            continue;
        }
        assert!(
            module.lines().any(|line| line.trim() == name),
            "`{name}` is no module"
        );
        assert!(
            overview.contains(&format!("| [`{name}`]")),
            "`{name}` is not in the overview"
        );
        let link = format!("mcp-tasks/docs/guide/{name}.md");
        assert!(readme.contains(&link), "`{name}` is not on the front page");
    }
}

/// A page that is read in the repository leads to the others by definitions at its end, and in the documentation, where
/// the others are modules, by those that `guide.rs` puts before it.
#[test]
fn links_between_the_chapters_lead_somewhere_in_both_places() {
    let folder = crate_dir().join("docs/guide");
    let module = read(&crate_dir().join("src/guide.rs"));
    let mut found = 0;
    for path in files(&folder) {
        let text = read(&path);
        assert!(!text.contains("](super::"), "{}", path.display());
        for line in text.lines().filter(|line| line.starts_with('[')) {
            let Some((label, target)) = line.split_once("]: ") else {
                continue;
            };
            let (page, heading) = target.split_once('#').unwrap_or((target, ""));
            let page = read(&folder.join(page));
            let id = |line: &str| {
                let title = line.strip_prefix("# ")?;
                Some(title.replace(' ', "-").to_lowercase())
            };
            let is_there = page.lines().filter_map(id).any(|id| id == heading);
            assert!(heading.is_empty() || is_there, "{}: {line}", path.display());
            let before = format!("//! {label}]: crate::");
            assert!(module.contains(&before), "{}: {line}", path.display());
            found += 1;
        }
    }
    assert!(found > 20, "{found}");
}

/// `cargo package` takes along what is in the crate's folder: what a source includes from elsewhere is missing then.
#[test]
fn what_the_sources_include_is_part_of_the_package() {
    let root = crate_dir().canonicalize().unwrap();
    let mut included = 0;
    for path in files(&root.join("src")) {
        let text = read(&path);
        for rest in text.split("include_str!(\"").skip(1) {
            let target = rest.split('"').next().unwrap();
            let up = target.split('/').filter(|part| *part == "..").count();
            let folder = path.parent().unwrap().strip_prefix(&root).unwrap();
            assert!(
                up <= folder.components().count(),
                "{} includes {target}",
                path.display()
            );
            included += 1;
        }
    }
    assert!(included > 2, "only {included} files are included");
}

/// rustdoc checks that a chapter is there, and not the place in it.
#[test]
fn every_link_into_a_chapter_finds_its_heading() {
    let mut links = 0;
    for file in ["src", "docs"]
        .iter()
        .flat_map(|folder| files(&crate_dir().join(folder)))
    {
        let text = read(&file);
        let after = |start: &'static str| text.split(start).skip(1);
        for rest in after("guide::").chain(after("](super::")) {
            let link = rest.split([')', ' ', '\n']).next().unwrap();
            let Some((name, place)) = link.split_once('#') else {
                continue;
            };
            let headings: Vec<String> = headings(&chapter(name)).collect();
            assert!(
                headings.iter().any(|heading| heading == place),
                "{}: {link}",
                file.display()
            );
            links += 1;
        }
    }
    assert!(links > 10, "only {links} links were found");
}

/// The headings of a chapter, as rustdoc spells them in addresses.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let titles = text.lines().filter_map(|line| line.strip_prefix("# "));
    titles.map(|title| {
        let kept = title
            .chars()
            .filter(|char| char.is_ascii_alphanumeric() || *char == '-' || *char == ' ');
        kept.collect::<String>()
            .to_ascii_lowercase()
            .replace(' ', "-")
    })
}

/// Every file below the folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
