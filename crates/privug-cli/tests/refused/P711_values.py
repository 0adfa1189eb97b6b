# refused: P711 at 1:1 in --require
# run: --prior 'x=Normal(50, std=10, size=3)' --secret 'x[0]' --require 'posterior_mean <= 60'
def main(x):
    return x[0] + x[1]
