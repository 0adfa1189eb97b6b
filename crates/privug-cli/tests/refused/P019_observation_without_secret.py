# refused: P019 at 1:1 in --observe
# run: --prior 'age=Normal(35, 4)' --observe 44
def same(age):
    return age
