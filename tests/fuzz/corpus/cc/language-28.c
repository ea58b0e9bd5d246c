2asm(".globl x"); int main(void) {}
