# refused: P017 at 1:5 in --prior
# run: --prior 'age=Normal(35, 4)' --prior 'age=Normal(36, 4)'
def same(age):
    return age
