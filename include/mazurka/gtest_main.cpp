// The main of a GoogleTest program whose tests are checked as they are (gtest.hpp). It is compiled
// with the program: where that links `-lmazurka_gtest_main` with mazurka-c++, or the CMake target
// mazurka::gtest_main.
#include "mazurka/gtest.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return mazurka::gtest::run_all_tests();
}
