# refused: P014 at 1:1 in --prior
# run: --prior 'Normal(35, 4)'
def same(age):
    return age
