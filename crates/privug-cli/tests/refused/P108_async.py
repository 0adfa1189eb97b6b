# refused: P108 at 2:11
async def main():
    return Normal(0, 1)
