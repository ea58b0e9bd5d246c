0in\
t x\
1;
