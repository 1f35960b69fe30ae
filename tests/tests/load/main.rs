//! Many clients of both eras at a time, each with ten tasks, on one server in a process of its own.
//!
//! By default as many as a test may take; all of them, with the figures, by
//! `LOAD_CLIENTS=1000 cargo test --release -p tests --test load -- --nocapture`.

#![cfg(target_os = "linux")]

mod client;
mod process;

use std::time::Instant;

use tests::open_files::allow_many;
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use client::{TASKS, legacy, modern};
use process::Process;

/// Clients where nothing else is said.
const CLIENTS: u32 = 100;

/// Kilobytes that the server may take at most, whatever it is asked.
const BASE: u64 = 32 * 1024;

/// And for each client with its tasks, connection, session and results.
const EACH: u64 = 64;

#[test]
fn every_client_gets_the_result_of_each_of_its_tasks() {
    allow_many();
    let clients = std::env::var("LOAD_CLIENTS").map_or(CLIENTS, |clients| {
        clients.parse().expect("LOAD_CLIENTS is a number")
    });
    let mut server = Process::start();
    let address = server.address;
    let start = Instant::now();
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let requests: u64 = runtime.block_on(async {
        let mut running = JoinSet::new();
        for number in 0..clients {
            if number % 2 == 0 {
                running.spawn(modern(address, number));
            } else {
                running.spawn(legacy(address, number));
            }
        }
        // One that fails has panicked, and so does this.
        running.join_all().await.iter().sum()
    });
    let wall = start.elapsed();
    drop(runtime);

    let tasks = clients * TASKS;
    let (cpu, peak) = (server.cpu(), server.peak_kilobytes());
    println!(
        "{clients} clients, {tasks} tasks, {requests} requests, no error: {wall:.1?}; server: {cpu:.1?} of CPU, \
         {} MiB at its peak",
        peak / 1024
    );
    assert!(peak < BASE + EACH * u64::from(clients), "{peak} kB");
    server.holds_only(tasks);
    server.end();
}
