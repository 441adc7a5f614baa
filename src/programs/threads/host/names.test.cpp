#include "programs/threads/host/names.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

TEST(Names, FunctionsAreShort) {
  EXPECT_EQ(short_function_name("main"), "main");
  EXPECT_EQ(short_function_name("withdraw(int)"), "withdraw");
  EXPECT_EQ(short_function_name("void ns::push<int>(ns::Queue<int>&)"), "ns::push");
  EXPECT_EQ(short_function_name("Queue<int>::pop() const"), "Queue::pop");
  EXPECT_EQ(short_function_name("(anonymous namespace)::worker(void*)"), "worker");
  EXPECT_EQ(short_function_name("main::{lambda()#1}::operator()() const"), "lambda in main");
  EXPECT_EQ(short_function_name("~<lambda>"), "~lambda");
  EXPECT_EQ(short_function_name("Guard::operator()(int)"), "Guard::operator()");
  EXPECT_EQ(short_function_name(demangled("_ZN7Counter3addEi")), "Counter::add");
}

TEST(Names, OperatorsHaveSignsThatAreNoBrackets) {
  EXPECT_EQ(short_function_name("bool std::operator< <int>(std::pair<int, int> const&, int)"),
            "std::operator<");
  EXPECT_EQ(short_function_name("std::ostream& std::operator<< <std::char_traits<char> >(int)"),
            "std::operator<<");
  EXPECT_EQ(short_function_name("std::_Deque_iterator<int, int&, int*>::difference_type "
                                "std::operator-<int, int&, int*>(int)"),
            "std::operator-");
  EXPECT_EQ(short_function_name("ns::Handle<int>::operator->() const"), "ns::Handle::operator->");
  EXPECT_EQ(short_function_name("bool std::operator==<int>(int const&)"), "std::operator==");
}

TEST(Names, TypesAreShort) {
  EXPECT_EQ(short_type_name("Node"), "Node");
  EXPECT_EQ(short_type_name("vector<int, std::allocator<int> >"), "vector<int>");
  EXPECT_EQ(short_type_name("pair<const int, std::__cxx11::basic_string<char, "
                            "std::char_traits<char>, std::allocator<char> > >"),
            "pair<const int, std::string>");
  EXPECT_EQ(short_type_name("map<int, std::pair<a_rather_long_name, another_rather_long_name>, "
                            "std::less<int>, std::allocator<int> >"),
            "map<int, ...>");
  EXPECT_EQ(short_type_name("vector<std::pair<a_rather_long_name, another_rather_long_name> >"),
            "vector<...>");
}

TEST(Names, ReservedOnesAreTheImplementations) {
  EXPECT_TRUE(is_reserved_name("_M_impl"));
  EXPECT_TRUE(is_reserved_name("__data"));
  EXPECT_FALSE(is_reserved_name("_private"));
  EXPECT_FALSE(is_reserved_name("balance"));
}

TEST(Names, SystemFiles) {
  EXPECT_TRUE(is_system_file("/usr/include/c++/12/bits/std_thread.h"));
  EXPECT_TRUE(is_system_file("./nptl/pthread_create.c"));
  EXPECT_FALSE(is_system_file("/home/me/bank.cpp"));
  EXPECT_FALSE(is_system_file("bank.cpp"));
}

}  // namespace
}  // namespace mazurka::threads
