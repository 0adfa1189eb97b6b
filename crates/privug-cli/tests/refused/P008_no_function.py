# refused: P008 at 1:1
x = 3
