# refused: P102 at 14:28
def main():
    x = Normal(0, 1)
    try:
        return x
    finally:
        try:
            return x + 1
        finally:
            try:
                return x + 2
            finally:
                try:
                    return x + 3
                finally:
                    x = x + 4
