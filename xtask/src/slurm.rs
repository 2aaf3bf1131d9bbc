//! `cargo xtask slurm`: the job template of `docs/cluster.md`, and the arrays that `mousetrap tb plan` writes, against a
//! real Slurm on this host.
//!
//! munged, slurmctld and slurmd run as root in the foreground, as children of this program, with
//! their files in a temporary folder and ports of their own, so that nothing of a Slurm that is
//! already there is touched and everything is gone afterwards.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::shell::{cargo, root, step};

/// Into how many parts the match is divided.
const PARTS: usize = 3;

/// How many games a part has.
const PART_GAMES: usize = 50;

/// A match that takes each part some seconds: the parts' games together.
const MATCH: &str = "a = 'sparring:depth=4'\nb = 'sparring:depth=3'\nnodes = 4000\ngames = 150\n";

/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(600);

/// The whole test.
pub fn slurm() -> Result<(), String> {
    install()?;
    step("building", cargo(["build", "--package", "mousetrap-app"]))?;
    let program = root().join("target/debug/mousetrap");
    let folder = std::env::temp_dir().join(format!("mousetrap-slurm-{}", std::process::id()));
    fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let result = Cluster::start(&folder).and_then(|cluster| {
        cluster.try_template(&program)?;
        cluster.try_tables(&program)
    });
    if result.is_ok() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    } else {
        eprintln!("the logs are in {}", folder.display());
    }
    result
}

fn install() -> Result<(), String> {
    let is_there = |name: &&str| {
        Command::new("which").arg(name).stdout(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    if ["munged", "slurmctld", "slurmd", "sbatch"].iter().all(is_there) {
        return Ok(());
    }
    let mut install = Command::new("apt-get");
    install.args(["install", "-y", "--no-install-recommends", "slurm-wlm", "munge"]);
    step("installing slurm-wlm and munge", install)
}

/// A Slurm of one node.
struct Cluster {
    folder: PathBuf,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start(folder: &Path) -> Result<Cluster, String> {
        let at = |name: &str| folder.join(name);
        for name in ["state", "spool"] {
            fs::create_dir(at(name)).map_err(|error| error.to_string())?;
        }
        write_key(&at("munge.key"))?;
        let host = text_of(Command::new("hostname").arg("-s"))?;
        let (host, path) = (host.trim(), folder.display());
        // Perhaps more CPUs than there are, so that all parts run at the same time.
        let configuration = format!(
            "ClusterName=mousetrap\n\
             SlurmctldHost={host}(127.0.0.1)\n\
             SlurmctldPort=16817\n\
             SlurmdPort=16818\n\
             SlurmUser=root\n\
             AuthType=auth/munge\n\
             AuthInfo=socket={path}/munge.socket,cred_expire=5\n\
             CredType=cred/munge\n\
             StateSaveLocation={path}/state\n\
             SlurmdSpoolDir={path}/spool\n\
             SlurmctldPidFile={path}/slurmctld.pid\n\
             SlurmdPidFile={path}/slurmd.pid\n\
             ProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\n\
             SelectType=select/cons_tres\n\
             SelectTypeParameters=CR_CPU\n\
             MpiDefault=none\n\
             SlurmdParameters=config_overrides\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs={PARTS} RealMemory=4096\n\
             PartitionName=main Nodes=ALL Default=YES State=UP\n"
        );
        fs::write(at("slurm.conf"), configuration).map_err(|error| error.to_string())?;

        let mut cluster = Cluster { folder: folder.to_owned(), daemons: Vec::new() };
        let file = |option: &str, name: &str| format!("--{option}={path}/{name}");
        let munged = [
            "--foreground".to_owned(),
            file("socket", "munge.socket"),
            file("key-file", "munge.key"),
            file("pid-file", "munged.pid"),
            file("log-file", "munged.log"),
            file("seed-file", "munge.seed"),
        ];
        cluster.daemon("munged", &munged)?;
        wait_for("munged", || Ok(at("munge.socket").exists()))?;
        cluster.daemon("slurmctld", &["-D"])?;
        cluster.daemon("slurmd", &["-D"])?;
        wait_for("the node", || Ok(cluster.ask("sinfo", ["-h", "-o", "%t"])?.trim() == "idle"))?;
        eprintln!("\n== {}", cluster.ask("sinfo", ["--version"])?.trim());
        eprint!("{}", cluster.ask("sinfo", [])?);
        Ok(cluster)
    }

    fn daemon(&mut self, name: &str, args: &[impl AsRef<OsStr>]) -> Result<(), String> {
        let log = fs::File::create(self.folder.join(format!("{name}.out")))
            .map_err(|error| error.to_string())?;
        let other = log.try_clone().map_err(|error| error.to_string())?;
        let mut command = self.command(name);
        command.args(args).stdin(Stdio::null()).stdout(log).stderr(other);
        let child = command.spawn().map_err(|error| format!("{name}: {error}"))?;
        self.daemons.push(child);
        Ok(())
    }

    fn command(&self, name: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(name);
        command.env("SLURM_CONF", self.folder.join("slurm.conf")).current_dir(&self.folder);
        command
    }

    fn ask<const N: usize>(&self, name: &str, args: [&str; N]) -> Result<String, String> {
        text_of(self.command(name).args(args))
    }

    fn try_template(&self, program: &Path) -> Result<(), String> {
        let out = self.folder.join("run");
        let contest = self.folder.join("match.toml");
        let text = format!("{MATCH}out = '{}'\n", out.display());
        fs::write(&contest, text).map_err(|error| error.to_string())?;
        let template = root().join("docs/match.sbatch");
        let mut submit = self.command("sbatch");
        submit.env("MOUSETRAP", program).arg("--parsable").arg(format!("--array=1-{PARTS}"));
        let job = text_of(submit.arg(template).arg("match.toml"))?.trim().to_owned();
        eprintln!("\n== job {job}, {PARTS} tasks");

        // One task is taken off its machine in the middle.
        let record = out.join(format!("games-2-of-{PARTS}.jsonl"));
        wait_for("the second part's first games", || Ok(lines(&record) >= 3))?;
        self.ask("scontrol", ["requeue", &format!("{job}_2")])?;
        let before = whole_lines(&record);
        eprintln!("task 2 was requeued after {} games", before.lines().count());
        if before.lines().count() + 2 > PART_GAMES {
            return Err("task 2 was too quick to be requeued in the middle".to_owned());
        }
        wait_for("the job", || Ok(self.ask("squeue", ["-h"])?.trim().is_empty()))?;
        if !whole_lines(&record).starts_with(&before) {
            return Err("games were lost when task 2 was requeued".to_owned());
        }
        for part in 1..=PARTS {
            let path = self.folder.join(format!("mousetrap-{job}-{part}.log"));
            let log = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            let said = |line: &&str| line.contains("played");
            eprintln!("task {part}: {}", log.lines().filter(said).collect::<Vec<_>>().join(" | "));
        }
        let merged = text_of(self.command(program).args(["lab", "merge"]).arg(&out))?;
        eprint!("\n== merged\n{merged}");
        let merged = text_of(self.command(program).args(["lab", "merge", "--json"]).arg(&out))?;
        fs::write(&contest, MATCH).map_err(|error| error.to_string())?;
        let whole = text_of(self.command(program).args(["match", "match.toml", "--json"]))?;
        if merged != whole {
            return Err(format!("merged: {merged}\nin one piece: {whole}"));
        }
        eprintln!("\nthe same match in one piece has the same result, to the digest of all moves");
        Ok(())
    }
}

impl Cluster {
    /// All tables of up to three pieces as arrays, one task of which is requeued, against a build in one piece.
    fn try_tables(&self, program: &Path) -> Result<(), String> {
        let [jobs, arrays, whole] = ["jobs", "arrays", "whole"].map(|name| self.folder.join(name));
        let set = |command: &str, folder: &Path| {
            let mut tb = self.command(program);
            tb.args(["tb", command, "--pieces", "3", "--rules", "standard", "--dir"]).arg(folder);
            tb
        };
        let mut plan = set("plan", &arrays);
        eprint!("\n== tables\n{}", text_of(plan.args(["--threads", "1", "--slurm"]).arg(&jobs))?);
        let mut submit = self.command("sh");
        let said = text_of(submit.arg(jobs.join("submit.sh")).env("MOUSETRAP", program))?;
        eprint!("{said}");
        let last = said.trim().rsplit(':').next().unwrap_or_default().to_owned();
        let done = |name: &str| arrays.join("standard").join(name).exists();
        wait_for("the first table of three pieces", || {
            let logs = fs::read_dir(&jobs).map_err(|error| error.to_string())?;
            let names = logs.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
            Ok(names.filter(|name| name.starts_with("mousetrap-pieces-3")).count() > 0)
        })?;
        if !done("C-C.mtb") {
            return Err("a layer began before the one it needs".to_owned());
        }
        self.ask("scontrol", ["requeue", &format!("{last}_1")])?;
        eprintln!("task 1 of job {last} was requeued");
        wait_for("the arrays", || Ok(self.ask("squeue", ["-h"])?.trim().is_empty()))?;
        text_of(&mut set("build", &whole))?;
        let manifest = |folder: &Path| {
            let path = folder.join("standard/manifest.json");
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        if manifest(&arrays)? != manifest(&whole)? {
            return Err("the arrays built other tables than one build does".to_owned());
        }
        eprintln!("the arrays built the same tables as one build, to the last byte");
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.ask("scancel", ["--full", "--user=root"]);
        let _ = self.ask("scontrol", ["shutdown"]);
        let start = Instant::now();
        for mut daemon in std::mem::take(&mut self.daemons).into_iter().rev() {
            // The first one, munged, is not Slurm's to stop.
            while start.elapsed() < Duration::from_secs(5) && matches!(daemon.try_wait(), Ok(None))
            {
                std::thread::sleep(Duration::from_millis(50));
            }
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

fn write_key(path: &Path) -> Result<(), String> {
    use std::io::{Read, Write};
    use std::os::unix::fs::OpenOptionsExt;
    let mut key = [0; 1024];
    fs::File::open("/dev/urandom")
        .and_then(|mut dice| dice.read_exact(&mut key))
        .and_then(|()| fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path))
        .and_then(|mut file| file.write_all(&key))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn text_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed: {errors}"));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

fn wait_for(what: &str, mut done: impl FnMut() -> Result<bool, String>) -> Result<(), String> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        // A daemon that is still starting refuses to answer.
        if done().unwrap_or(false) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(format!("waited for {what} for {PATIENCE:?}"))
}

fn lines(path: &Path) -> usize {
    whole_lines(path).lines().count()
}

fn whole_lines(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect()
}
