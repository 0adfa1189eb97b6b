# refused: P004 at 5:1
# refused: P004 at 6:1
def main():
    x = Normal(0, 1)
	return x
