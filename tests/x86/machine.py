"""An emulated x86-64 machine with the host's folders in it, made of Debian packages alone.

Its root is unpacked from the packages that debootstrap fetches; nothing in there is configured, and
nothing has to be: init.c mounts what is needed and runs one script. The root, the source and a scratch
folder are folders of the host, the latter two at the same paths. Compilers are asked for on the host
(ask_host.c), where they are cross compilers: emulated ones would take most of the time.
"""

import os
import shlex
import shutil
import subprocess
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = ["cmake", "libcli11-dev", "libdw-dev", "libfmt-dev", "libgtest-dev",
            "libhiredis-dev", "libseccomp-dev",
            "linux-image-amd64", "nlohmann-json3-dev", "python3"]
MODULES = ["virtio_pci", "9pnet_virtio", "9p"]
COMPILERS = {
    "cc": ["x86_64-linux-gnu-gcc"],
    "gcc": ["x86_64-linux-gnu-gcc"],
    "c++": ["x86_64-linux-gnu-g++"],
    "g++": ["x86_64-linux-gnu-g++"],
    "clang": ["clang", "--target=x86_64-linux-gnu"],
    "clang++": ["clang++", "--target=x86_64-linux-gnu"],
}
MEMORY = "3G"


def run(command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def suite():
    """The release of Debian that the host has: its cross compilers fit the same libraries."""
    for line in Path("/etc/os-release").read_text().splitlines():
        if line.startswith("VERSION_CODENAME="):
            return line.partition("=")[2].strip('"')
    return "bookworm"


class Machine:
    def __init__(self, work, source):
        self.work, self.source = work, source
        self.root = work / "root"
        self.scratch = work / "scratch"
        self.requests = self.scratch / "requests"

    # --- the root -------------------------------------------------------------------------------

    def make_root(self, say):
        if (self.root / ".complete").exists():
            return
        say("Fetching Debian's packages for amd64 (once, some 250 MB) ...")
        packages = self.work / "packages"
        with open(self.work / "packages.log", "w") as log:
            command = ["debootstrap", "--arch=amd64", "--download-only", "--variant=minbase",
                       "--include=" + ",".join(PACKAGES), suite(), packages]
            if os.geteuid() != 0:
                command.insert(0, "sudo")
            run(command, stdout=log, stderr=log)
        say("Unpacking them ...")
        shutil.rmtree(self.root, ignore_errors=True)
        for name in ("bin", "sbin", "lib", "lib64"):
            (self.root / "usr" / name).mkdir(parents=True)
            (self.root / name).symlink_to(f"usr/{name}")
        for package in sorted(packages.glob("var/cache/apt/archives/*.deb")):
            with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package],
                                  stdout=subprocess.PIPE) as unpacked:
                run(["tar", "-x", "--keep-directory-symlink", "--no-same-owner", "-C", self.root],
                    stdin=unpacked.stdout)
            if unpacked.returncode != 0:
                raise RuntimeError(f"{package} can not be unpacked")
        self.make_links_relative()
        (self.root / ".complete").touch()

    def make_links_relative(self):
        """Links to /lib/... must lead into the root when the host follows them, too."""
        for folder in ("usr/lib/x86_64-linux-gnu", "usr/lib"):
            for link in (self.root / folder).iterdir():
                if link.is_symlink() and os.readlink(link).startswith("/"):
                    target = self.root / os.readlink(link).lstrip("/")
                    link.unlink()
                    link.symlink_to(os.path.relpath(target, link.parent))

    def compilers(self):
        """What stands for them in the machine."""
        place = self.root / "usr/local/bin"
        place.mkdir(parents=True, exist_ok=True)
        run(["x86_64-linux-gnu-gcc", "-O2", "-Wall", "-static", "-D_GNU_SOURCE", HERE / "ask_host.c",
             "-o", place / "ask_host"])
        for name in COMPILERS:
            (place / name).unlink(missing_ok=True)
            (place / name).symlink_to("ask_host")

    # --- starting -------------------------------------------------------------------------------

    def modules(self):
        """The modules in an order in which they can be loaded, as files."""
        files = {file.stem.replace("-", "_"): file
                 for file in (self.root / "lib/modules").glob("*/kernel/**/*.ko")}
        ordered = []

        def add(name):
            file = files[name]
            if file in ordered:
                return
            about = file.read_bytes()
            begin = about.index(b"depends=") + len(b"depends=")
            needed = about[begin:about.index(b"\0", begin)].decode()
            for other in filter(None, needed.split(",")):
                add(other.replace("-", "_"))
            ordered.append(file)

        for name in MODULES:
            add(name)
        return ordered

    def initial_files(self):
        """What the kernel starts with: an archive in the format `newc` of cpio."""
        init = self.work / "init"
        run(["x86_64-linux-gnu-gcc", "-O2", "-Wall", "-static", "-D_GNU_SOURCE", HERE / "init.c",
             "-o", init])
        modules = self.modules()
        files = {"init": init.read_bytes(),
                 "modules": "".join(f"/{file.name}\n" for file in modules).encode(),
                 "folders": "".join(f"{tag} {place} {cache}\n"
                                    for tag, _, place, cache in self.folders()).encode()}
        files |= {file.name: file.read_bytes() for file in modules}
        archive = bytearray()

        def entry(name, mode, content):
            fields = [0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0]
            archive.extend(b"070701" + b"".join(b"%08X" % field for field in fields))
            archive.extend(name.encode() + b"\0")
            archive.extend(b"\0" * (-len(archive) % 4))
            archive.extend(content)
            archive.extend(b"\0" * (-len(archive) % 4))

        for name, content in files.items():
            entry(name, 0o100755, content)
        entry("TRAILER!!!", 0, b"")
        result = self.work / "initial_files"
        result.write_bytes(archive)
        return result

    def folders(self):
        """Tag, folder of the host, place in the machine, how it is cached there."""
        return [("root", self.root, "/", "loose"),
                ("source", self.source, self.source, "loose"),
                ("scratch", self.scratch, self.scratch, "none")]

    def execute(self, script, show, limit):
        """Runs the lines of a shell script in the machine; its exit status."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.requests.mkdir(parents=True)
        status = self.scratch / "status"
        (self.root / "machine.sh").write_text(
            f"export MAZURKA_HOST={shlex.quote(str(self.requests))}\n"
            f"export TMPDIR={shlex.quote(str(self.scratch))}\n"
            f"(\n{script}\n) 2>&1\necho $? > {shlex.quote(str(status))}\n")
        kernel = next((self.root / "boot").glob("vmlinuz-*"))
        command = ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-m", MEMORY,
                   "-nodefaults", "-no-reboot", "-display", "none", "-serial", "stdio",
                   "-kernel", kernel, "-initrd", self.initial_files(),
                   "-append", "console=ttyS0 quiet panic=-1 mitigations=off"]
        for tag, folder, _, _ in self.folders():
            command += ["-fsdev", f"local,id={tag},path={folder},security_model=none,"
                        "multidevs=remap", "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]
        over = threading.Event()
        compiling = threading.Thread(target=self.compile_for_it, args=(over,))
        compiling.start()
        with subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, errors="replace") as emulator:
            killer = threading.Timer(limit, emulator.kill)
            killer.start()
            for line in emulator.stdout:
                show(line.rstrip())
            killer.cancel()
        over.set()
        compiling.join()
        return int(status.read_text()) if status.exists() else None

    def compile_for_it(self, over):
        """Answers what ask_host.c asks for, until the machine is off."""
        while not over.is_set():
            waiting = sorted(self.requests.glob("*.request"))
            for request in waiting:
                folder, name, *arguments = request.read_text().split("\0")
                request.unlink()
                answer = subprocess.run([*COMPILERS[name], *arguments], cwd=folder, text=True,
                                        capture_output=True, stdin=subprocess.DEVNULL, check=False)
                request.with_suffix(".out").write_text(answer.stdout)
                request.with_suffix(".err").write_text(answer.stderr)
                partial = request.with_suffix(".status")
                partial.write_text(f"{answer.returncode}\n")
                partial.rename(request.with_suffix(".done"))
            if not waiting:
                time.sleep(0.01)
