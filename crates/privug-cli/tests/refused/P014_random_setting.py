# refused: P014 at 1:5 in --set
# run: --set 'age=Normal(35, 4)'
def same(age):
    return age
