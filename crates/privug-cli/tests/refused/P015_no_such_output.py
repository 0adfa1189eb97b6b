# refused: P015 at 1:11 in --observe
# run: --prior 'age=Normal(35, 4)' --secret age --observe 'return[1]=44'
def same(age):
    return [age]
