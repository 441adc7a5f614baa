"""What is in examples/cluster fits together, and calls Mazurka as it can be called."""

import shlex
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from calling import MAZURKA, SOURCE  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

EXAMPLES = SOURCE / "examples" / "cluster"
SERVER = "redis://mazurka-redis"


def understood(words):
    """Whether the command and its options are among those that its help shows."""
    done = subprocess.run(
        [MAZURKA, words[0], "--help"], capture_output=True, text=True, check=False
    )
    known = done.stdout.replace(",", " ").split()
    options = [word for word in words if word.startswith("--")]
    return done.returncode == 0 and all(option in known for option in options)


class Manifest(unittest.TestCase):
    def setUp(self):
        self.objects = {}
        for one in yaml.safe_load_all((EXAMPLES / "kubernetes.yaml").read_text()):
            self.objects[one["kind"]] = one

    def pod(self, kind):
        return self.objects[kind]["spec"]["template"]

    def container(self, kind):
        (one,) = self.pod(kind)["spec"]["containers"]
        return one

    def test_every_object_is_one(self):
        versions = {
            "Service": "v1",
            "StatefulSet": "apps/v1",
            "NetworkPolicy": "networking.k8s.io/v1",
            "Deployment": "apps/v1",
            "Job": "batch/v1",
        }
        self.assertEqual({kind: one["apiVersion"] for kind, one in self.objects.items()}, versions)
        for one in self.objects.values():
            self.assertRegex(one["metadata"]["name"], "^[a-z-]+$")

    def test_selectors_select(self):
        for kind in ("StatefulSet", "Deployment"):
            wanted = self.objects[kind]["spec"]["selector"]["matchLabels"]
            self.assertLessEqual(wanted.items(), self.pod(kind)["metadata"]["labels"].items())
        server = self.pod("StatefulSet")["metadata"]["labels"]
        self.assertEqual(self.objects["Service"]["spec"]["selector"], server)
        policy = self.objects["NetworkPolicy"]["spec"]
        self.assertEqual(policy["podSelector"]["matchLabels"], server)
        member = policy["ingress"][0]["from"][0]["podSelector"]["matchLabels"]
        for kind in ("Deployment", "Job"):
            self.assertLessEqual(member.items(), self.pod(kind)["metadata"]["labels"].items())

    def test_commands_are_understood(self):
        worker = self.container("Deployment")["args"]
        check = self.container("Job")["args"]
        for words in (worker, check):
            self.assertTrue(understood(words), words)
        self.assertFalse(understood([*worker, "--frobnicate"]))
        self.assertIn(SERVER, worker)
        self.assertEqual(check[check.index("--cluster") + 1], SERVER)
        self.assertEqual(SERVER, "redis://" + self.objects["Service"]["metadata"]["name"])

    def test_the_server_remembers(self):
        words = shlex.split(" ".join(self.container("StatefulSet")["args"]))
        self.assertEqual(words[words.index("--appendonly") + 1], "yes")
        self.assertEqual(words[words.index("--maxmemory-policy") + 1], "noeviction")
        folder = words[words.index("--dir") + 1]
        mounts = self.container("StatefulSet")["volumeMounts"]
        self.assertIn(folder, [one["mountPath"] for one in mounts])

    def test_all_know_the_password(self):
        secrets = set()
        for kind in ("StatefulSet", "Deployment", "Job"):
            (variable,) = self.container(kind)["env"]
            secret = variable["valueFrom"]["secretKeyRef"]
            secrets.add((secret["name"], secret["key"]))
        self.assertEqual(secrets, {("mazurka-redis", "password")})

    def test_a_check_ends_with_its_verdict(self):
        (rule,) = self.objects["Job"]["spec"]["podFailurePolicy"]["rules"]
        self.assertEqual(rule["onExitCodes"]["values"], [1, 2, 3])
        self.assertEqual(self.pod("Job")["spec"]["restartPolicy"], "Never")


class Slurm(unittest.TestCase):
    def test_the_script(self):
        script = EXAMPLES / "workers.slurm"
        subprocess.run(["bash", "-n", script], check=True)
        command = next(line for line in script.read_text().splitlines() if "mazurka work" in line)
        words = shlex.split(command.strip().strip("'"))[1:]  # without exec
        self.assertEqual(words[0], "mazurka")
        words = [word.replace("$SERVER", SERVER) for word in words[1:]]
        words = ["4" if word.startswith("$") else word for word in words]
        self.assertTrue(understood(words), words)


if __name__ == "__main__":
    if yaml is None:
        print("skipped: Python's yaml is not installed (Debian: python3-yaml)")
        sys.exit(77)
    unittest.main()
