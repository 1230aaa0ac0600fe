"""Softmax regression on the Iris data, trained by stochastic gradient descent; a random third of the flowers is for testing.

Writes into the storage path:
  metrics.json  accuracy and loss on the flowers for testing
  history.csv   the same after each epoch
"""

import argparse
import csv
import json
import math
import os
import random

VARIABLES = ("sepal_length", "sepal_width", "petal_length", "petal_width")
SPECIES = ("setosa", "versicolor", "virginica")


def read_flowers(path):
    """Pairs of measurements, each with mean 0 and deviation 1, and the index of the species."""
    if os.path.isdir(path):
        path = os.path.join(path, "iris.csv")
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = []
    for name in VARIABLES:
        values = [float(row[name]) for row in rows]
        mean = math.fsum(values) / len(values)
        deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
        columns.append([(value - mean) / deviation for value in values])
    return [(measures, SPECIES.index(row["species"])) for measures, row in zip(zip(*columns), rows)]


def probabilities(weights, measures):
    """The probability of each species."""
    scores = [row[-1] + sum(weight * value for weight, value in zip(row, measures)) for row in weights]
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


def train(weights, flowers, rate):
    """One epoch of gradient descent, a flower at a time."""
    for measures, species in flowers:
        guess = probabilities(weights, measures)
        for index, row in enumerate(weights):
            error = guess[index] - (index == species)
            for place, value in enumerate((*measures, 1.0)):
                row[place] -= rate * error * value


def test(weights, flowers):
    """The part of the flowers whose species is found, and the mean cross-entropy."""
    guesses = [(probabilities(weights, measures), species) for measures, species in flowers]
    correct = sum(guess.index(max(guess)) == species for guess, species in guesses)
    loss = math.fsum(-math.log(guess[species]) for guess, species in guesses)
    return correct / len(flowers), loss / len(flowers)


def main():
    parser = argparse.ArgumentParser(description="Softmax regression on the Iris data", allow_abbrev=False)
    parser.add_argument("--storage_path", required=True, help="folder for the results")
    parser.add_argument("--dataset_path", required=True, help="iris.csv, or the folder that holds it")
    parser.add_argument("--rate", type=float, default=0.1, help="learning rate (default: 0.1)")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the flowers (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="which flowers are for testing, and the order of the others")
    arguments = parser.parse_args()

    generator = random.Random(arguments.seed)
    flowers = read_flowers(arguments.dataset_path)
    generator.shuffle(flowers)
    third = len(flowers) // 3
    testing, training = flowers[:third], flowers[third:]
    weights = [[0.0] * (len(VARIABLES) + 1) for _ in SPECIES]
    history = os.path.join(arguments.storage_path, "history.csv")
    with open(history, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["epoch", "accuracy", "loss"])
        for epoch in range(1, arguments.epochs + 1):
            generator.shuffle(training)
            train(weights, training, arguments.rate)
            accuracy, loss = test(weights, testing)
            writer.writerow([epoch, accuracy, loss])
    with open(os.path.join(arguments.storage_path, "metrics.json"), "w", encoding="utf-8") as file:
        json.dump({"accuracy": accuracy, "loss": loss}, file)
    print("%d flowers: accuracy %.3f, loss %.3f" % (len(testing), accuracy, loss))


if __name__ == "__main__":
    main()
