# refused: P201 at 5:16
# refused: P201 at 6:12
def main():
    average = Normal(0, 1)
    condition("averge", 3)
    return avrage
