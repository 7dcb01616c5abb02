# SPDX-License-Identifier: MIT
"""The peer of `touchstone bench maps`: the same small network in PyTorch, on one thread.

    torch_maps.py FILE SECONDS

FILE, as this machine has its numbers: inputs, outputs, depth, width, parameters p and samples n (uint64); then as float32 the p parameters
(layer by layer: weights row by row, biases), n inputs one after the other, n values of output 0 and n gradients of it.

Prints how far PyTorch's values and gradients are from those in the file: values of all samples, gradients of all but those at a kink, where
a neuron's input is so near to 0 that rounding decides whether it counts ("kinks N" says how many). And samples a second, each measured for
SECONDS:

    query BATCH     value and gradient in the input, by autograd, as one asks PyTorch
    hand BATCH      the same with the backward pass written out by hand, which spares PyTorch its graph
    train BATCH     one step of Adam on the mean square error; the faster of PyTorch's two ways to update parameters, one by one and
                    all at once

What counts is the processor's time, as in the bench. Says "missing" when there is no PyTorch.
"""
import struct
import sys
import time

try:
    import torch
except ImportError as reason:
    print("missing", reason)
    sys.exit(0)

QUERY_BATCHES = [64, 4096, 65536]
TRAIN_BATCHES = [1024, 2048, 4096, 8192]
KINK = 1e-5  # of the largest input of a neuron in its layer: single precision is right to some 1e-6 there


def read(path):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    inputs, outputs, depth, width, parameters, samples = struct.unpack("6Q", data[:48])
    sizes = [parameters, samples * inputs, samples, samples * inputs]
    if len(data) != 48 + 4 * sum(sizes):
        sys.exit(f"{path} has {len(data)} bytes, not {48 + 4 * sum(sizes)}")
    numbers = torch.frombuffer(data, dtype=torch.float32, offset=48).clone()
    parameter, point, value, slope = torch.split(numbers, sizes)
    layers, at = [], 0
    for layer in range(depth + 1):
        rows, columns = (outputs if layer == depth else width), (inputs if layer == 0 else width)
        weight = parameter[at:at + rows * columns].reshape(rows, columns)
        at += rows * columns
        layers.append((weight, parameter[at:at + rows]))
        at += rows
    return layers, point.reshape(samples, inputs), value, slope.reshape(samples, inputs)


def network(layers):
    parts = []
    for weight, bias in layers:
        linear = torch.nn.Linear(weight.shape[1], weight.shape[0])
        with torch.no_grad():
            linear.weight.copy_(weight)
            linear.bias.copy_(bias)
        parts += [linear, torch.nn.ReLU()]
    return torch.nn.Sequential(*parts[:-1])


def by_autograd(net, batch):
    x = batch.detach().requires_grad_(True)
    value = net(x)[:, 0]
    return value.detach(), torch.autograd.grad(value.sum(), x)[0]


def by_hand(layers, batch):
    with torch.no_grad():
        kept, x = [], batch
        for weight, bias in layers[:-1]:
            x = torch.addmm(bias, x, weight.t()).relu_()
            kept.append(x)
        weight, bias = layers[-1]
        value = torch.addmm(bias, x, weight.t())[:, 0]
        back = weight[:1].expand(len(batch), -1)
        for (weight, _), activation in zip(reversed(layers[:-1]), reversed(kept)):
            back = torch.mm(torch.ops.aten.threshold_backward(back, activation, 0), weight)
        return value, back


def near_kink(layers, batch):
    """Whether some neuron of a sample is about to switch on or off."""
    with torch.no_grad():
        near, x = torch.zeros(len(batch), dtype=torch.bool), batch.double()
        for weight, bias in layers[:-1]:
            x = torch.addmm(bias.double(), x, weight.double().t())
            near |= (x.abs() < KINK * x.abs().max()).any(1)
            x = x.relu()
        return near


def rate(step, samples, seconds):
    step()
    count, begin = 0, time.process_time()
    while True:
        step()
        count += 1
        taken = time.process_time() - begin
        if taken >= seconds:
            return count * samples / taken


def train_rate(layers, batch, targets, seconds):
    net = network(layers)
    options = {"lr": 1e-3}
    best = 0.0
    for plain in (True, False):
        try:
            adam = torch.optim.Adam(net.parameters(), **options, **({} if plain else {"foreach": True}))
        except TypeError:
            continue
        mean_square = torch.nn.MSELoss()

        def step():
            adam.zero_grad(set_to_none=True)
            mean_square(net(batch)[:, 0], targets).backward()
            adam.step()
        best = max(best, rate(step, len(batch), seconds))
    return best


def main():
    path, seconds = sys.argv[1], float(sys.argv[2])
    torch.set_num_threads(1)
    layers, point, value, slope = read(path)
    net = network(layers)
    for parameter in net.parameters():
        parameter.requires_grad_(False)
    print("version", torch.__version__)
    difference, kink = 0.0, near_kink(layers, point)
    print("kinks", int(kink.sum()), "of", len(point))
    if bool(kink.all()):
        sys.exit("every sample is at a kink: gradients cannot be compared")
    for found, gradient in (by_autograd(net, point), by_hand(layers, point)):
        difference = max(difference, float((found - value).abs().max()))
        difference = max(difference, float((gradient - slope)[~kink].abs().max()))
    print("difference", difference)

    def spread(count):
        return point.repeat(count // len(point) + 1, 1)[:count].contiguous()
    for count in QUERY_BATCHES:
        batch = spread(count)
        print(f"query-{count} {rate(lambda: by_autograd(net, batch), count, seconds)}")
        print(f"hand-{count} {rate(lambda: by_hand(layers, batch), count, seconds)}")
    for count in TRAIN_BATCHES:
        targets = value.repeat(count // len(value) + 1)[:count].contiguous()
        print(f"train-{count} {train_rate(layers, spread(count), targets, seconds)}")


main()
