# refused: P407 at 10:39
# refused: P305 at 11:9
class Card:
    def __init__(self, rank):
        self.rank = rank


def main():
    card = Card(DiscreteUniform(1, 2))
    return (card, 1) == (Card(1), 1), card < Card(1), [
        [card].index(Card(1))
    ]
