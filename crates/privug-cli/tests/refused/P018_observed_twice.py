# refused: P018 at 1:1 in --observe
# run: --prior 'age=Normal(35, 4)' --secret age --observe 44 --observe 45
def same(age):
    return age
