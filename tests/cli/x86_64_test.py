"""What is so on x86-64 only; on other machines there is nothing to test."""

import platform
import shutil
import unittest

from calling import VERIFIED, InFolder

RACE = """
#include <pthread.h>
long double sum;
static void* body(void* unused) {
  sum = 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  return 0;
}
"""


@unittest.skipUnless(platform.machine() == "x86_64", "not an x86-64 machine")
class LongDouble(InFolder):
    @unittest.skipIf(shutil.which("clang") is None, "there is no clang here")
    def test_clang_does_not_see_long_double(self):
        self.write("sum.c", RACE)
        result = self.mazurka("check", "--compiler", "clang", "sum.c", expect=VERIFIED)
        self.assertIn("long double (`sum`)", result.stdout)
        self.write("sum.c", RACE.replace("long double", "double"))
        result = self.mazurka("check", "--compiler", "clang", "sum.c", expect=VERIFIED)
        self.assertNotIn("long double", result.stdout)

    def test_gcc_does(self):
        self.write("sum.c", RACE)
        result = self.mazurka("check", "sum.c", expect=VERIFIED)
        self.assertNotIn("long double", result.stdout)


if __name__ == "__main__":
    unittest.main()
