print("not ours")
