"""The GEMMs of two layers of Llama 3 8B and of its head, without what lies between them: a prompt and some tokens."""

import torch

LAYERS, HIDDEN, KV, INNER, VOCABULARY = 2, 4096, 1024, 14336, 128256
PROMPT, SEQUENCES, TOKENS = 2048, 16, 32


def weight(rows, columns):
    return torch.empty((rows, columns), dtype=torch.bfloat16, device="cuda").t()


class Layer:
    def __init__(self):
        self.qkv = weight(HIDDEN + 2 * KV, HIDDEN)
        self.o = weight(HIDDEN, HIDDEN)
        self.gate, self.up, self.down = weight(INNER, HIDDEN), weight(INNER, HIDDEN), weight(HIDDEN, INNER)

    def run(self, x):
        torch.mm(x, self.qkv)
        torch.mm(x, self.o)
        inner = torch.nn.functional.silu(torch.mm(x, self.gate))
        torch.mm(x, self.up)
        return torch.mm(inner, self.down)


def run(layers, head, x, last):
    for layer in layers:
        x = layer.run(x)
    torch.mm(last, head)


def main():
    layers, head = [Layer() for _ in range(LAYERS)], weight(VOCABULARY, HIDDEN)
    prompt, one, tokens = (
        torch.empty((rows, HIDDEN), dtype=torch.bfloat16, device="cuda") for rows in (PROMPT, 1, SEQUENCES)
    )
    with torch.no_grad():
        for _ in range(SEQUENCES):
            run(layers, head, prompt, one)
        run(layers, head, tokens, tokens)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            run(layers, head, tokens, tokens)
        for _ in range(TOKENS):
            graph.replay()


main()
