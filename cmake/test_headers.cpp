// Nothing: headers that are compiled beforehand belong to a program.
int main() {}
