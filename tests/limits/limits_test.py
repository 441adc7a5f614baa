"""What limits.py takes for a function and for a class."""

import unittest
from pathlib import Path

import limits

FILLING = "  step();\n"


def long_ones(text):
    return [(what, name) for what, name, _ in limits.long_ones(text)]


def function(head, lines=limits.LINES_OF_A_FUNCTION):
    return f"{head} {{\n" + FILLING * (lines - 2) + "}\n"


class Functions(unittest.TestCase):
    def test_the_longest_that_is_allowed(self):
        self.assertEqual(long_ones(function("void f()")), [])
        self.assertEqual(long_ones(function("void f()", limits.LINES_OF_A_FUNCTION + 1)),
                         [("function", "f")])

    def test_heads(self):
        lines = limits.LINES_OF_A_FUNCTION + 1
        for head, name in (
                ("int f(const std::function<void(int)>& g) const noexcept", "f"),
                ("auto f(int x) -> std::vector<int>", "f"),
                ("template <typename T>\nvoid f(T x)", "f"),
                ("std::string A::f(int x = g({1, 2}))", "A::f"),
                ("A::A(int x) : x_(x), y_{x}, z_{x, {1}}", "A::A"),
                ("bool operator==(const A& one, const A& other)", "operator=="),
                ("[[nodiscard]] bool f()", "f")):
            with self.subTest(head):
                found = long_ones(f"namespace a {{\n{function(head, lines)}}}\n")
                self.assertEqual(found, [("function", name)])
                self.assertEqual(long_ones(function(head, 5)), [])

    def test_in_classes_and_after_texts(self):
        lines = limits.LINES_OF_A_FUNCTION + 1
        text = 'class A {\n const char* a = R"({({()";  // {\n char b = \'{\';\n ' + \
            function("void f()", lines) + "};\n"
        self.assertEqual(long_ones(text), [("function", "f")])

    def test_what_is_none(self):
        rows = "  {1},\n" * 100
        for text in (f"const int rows[] = {{\n{rows}}};\n", f"enum class A {{\n{rows}}};\n",
                     f"constexpr std::array<int, 3> rows{{{{\n{rows}}}}};\n",
                     "namespace a {\n" + FILLING * 100 + "}\n"):
            self.assertEqual(long_ones(text), [])

    def test_braces_must_match(self):
        for text in ("void f() {\n", "}\n"):
            with self.assertRaises(ValueError):
                long_ones(text)


class Classes(unittest.TestCase):
    def test_functions_are_counted_and_members_are_not(self):
        few = "void f();\n" * (limits.FUNCTIONS_OF_A_CLASS - 2) + "int g() { return 1; }\n"
        members = ("int a_ = f(1);\nstd::function<void(int)> b_;\nint (*c_)(int);\nint d_{1};\n"
                   "using E = int(int);\nstruct F { int g = 0; };\n") * 9
        text = "struct A {\n" + few + members + "%s};\n"
        self.assertEqual(long_ones(text % "bool operator==(const A&) const;\n"), [])
        self.assertEqual(long_ones(text % "A();\n~A();\n"), [("class", "A")])


class Exceptions(unittest.TestCase):
    def test_each_has_a_reason(self):
        file = Path(limits.__file__).with_name("exceptions.txt")
        for what, reason in limits.exceptions(file).items():
            self.assertTrue(reason, what)


if __name__ == "__main__":
    unittest.main()
