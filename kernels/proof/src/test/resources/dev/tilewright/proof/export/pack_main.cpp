/* Calls the hooks of a pack as PyTorch does, and says of each call who computed it. */
#include "stub_torch.h"

#include "pack.cpp"

unsigned long long stub_capture = 0;

static at::Tensor tensor(std::vector<int64_t> sizes, std::vector<int64_t> strides, at::ScalarType type, int number) {
    at::Tensor made;
    made.sizes = sizes;
    made.strides = strides;
    made.type = type;
    made.address = static_cast<uintptr_t>(number) << 40;
    return made;
}

static at::Tensor matrix(int64_t rows, int64_t columns, int number, at::ScalarType type = at::kBFloat16) {
    return tensor({rows, columns}, {columns, 1}, type, number);
}

/* As PyTorch has the weights of a linear layer: transposed. */
static at::Tensor weights(int64_t k, int64_t n, at::ScalarType type = at::kBFloat16) {
    return tensor({k, n}, {1, k}, type, 2);
}

static void say(const char *call, const at::Tensor &d) {
    printf("%s: %s\n", call, d.by_torch ? "PyTorch" : "pack");
}

template <typename Change> static at::Tensor with(at::Tensor changed, Change change) {
    changed.impl = std::make_shared<at::TensorImpl>();
    change(changed);
    return changed;
}

int main() {
    c10::DispatchKeySet all;
    at::Tensor b = weights(264, 1032), a = matrix(16, 264, 1);
    say("off", mm(all, a, b));
    on.store(true);
    say("mm of 16", mm(all, a, b));
    say("mm of 70", mm(all, matrix(70, 264, 1), b));
    say("mm of 17", mm(all, matrix(17, 264, 1), b));
    say("mm of none", mm(all, matrix(0, 264, 1), b));
    say("weights row by row", mm(all, a, matrix(264, 1032, 2)));
    say("a with gaps", mm(all, tensor({16, 264}, {528, 1}, at::kBFloat16, 1), b));
    say("a of f16", mm(all, matrix(16, 264, 1, at::kHalf), b));
    say("a not aligned", mm(all, with(a, [](at::Tensor &each) { each.address += 8; }), b));
    say("a on the host", mm(all, with(a, [](at::Tensor &each) { each.on.cuda = false; }), b));
    say("b on another GPU", mm(all, a, with(b, [](at::Tensor &each) { each.on.index = 1; })));
    say("a sparse", mm(all, with(a, [](at::Tensor &each) { each.lies = at::Layout::Sparse; }), b));
    say("a of a subclass", mm(all, with(a, [](at::Tensor &each) { each.impl->python = true; }), b));
    say("a conjugated", mm(all, with(a, [](at::Tensor &each) { each.conj = true; }), b));
    at::Tensor out = matrix(16, 1032, 3), resized = matrix(1, 1, 3), turned = tensor({16, 1032}, {1, 16}, at::kBFloat16, 3);
    say("mm into out", mm_out(all, a, b, out));
    say("mm into another shape", mm_out(all, a, b, resized));
    say("mm into columns", mm_out(all, a, b, turned));

    at::Tensor bias = tensor({1032}, {1}, at::kBFloat16, 4), line = tensor({1, 1032}, {1032, 1}, at::kBFloat16, 4);
    say("addmm with a bias", addmm(all, bias, a, b, 1, 1));
    say("addmm with a line", addmm(all, line, a, b, 1, 1));
    say("addmm with a repeated line", addmm(all, tensor({16, 1032}, {0, 1}, at::kBFloat16, 4), a, b, 1, 1));
    say("addmm with a bias of f32", addmm(all, tensor({1032}, {1}, at::kFloat, 4), a, b, 1, 1));
    say("addmm with half of a bias", addmm(all, bias, a, b, 0.5, 1));
    say("addmm with a C", addmm(all, matrix(16, 1032, 4), a, b, 1, 1));
    say("addmm without anything", addmm(all, matrix(16, 1032, 4), a, b, 0, 1));
    say("addmm of another shape without it", addmm(all, matrix(7, 3, 4), a, b, 0, 1));
    at::Tensor one = matrix(16, 1032, 4);
    say("addmm into a bias", addmm_out(all, tensor({16, 1032}, {0, 1}, at::kBFloat16, 4), a, b, 1, 1, one));

    at::ScalarType e4m3 = at::kFloat8_e4m3fn;
    at::Tensor a8 = matrix(20, 256, 1, e4m3), b8 = weights(256, 256, e4m3);
    at::Tensor left = tensor({20, 2}, {1, 20}, at::kFloat, 5), right = tensor({2, 2}, {1, 4}, at::kFloat, 6);
    say("scales of blocks", scaled_mm(all, a8, b8, left, right, {}, {}, at::kBFloat16, false));
    say("scales of A row by row",
        scaled_mm(all, a8, b8, tensor({20, 2}, {2, 1}, at::kFloat, 5), right, {}, {}, at::kBFloat16, false));
    say("a scale of the result", scaled_mm(all, a8, b8, left, right, {}, bias, at::kBFloat16, false));
    at::Tensor rows = tensor({20, 1}, {1, 1}, at::kFloat, 5), columns = tensor({1, 256}, {256, 1}, at::kFloat, 6);
    say("scales of rows", scaled_mm(all, a8, b8, rows, columns, {}, {}, at::kBFloat16, true));
    say("scales of rows, exact sums", scaled_mm(all, a8, b8, rows, columns, {}, {}, at::kBFloat16, false));
    at::Tensor scalar = tensor({1, 1}, {1, 1}, at::kFloat, 5);
    say("one scale", scaled_mm(all, a8, b8, scalar, scalar, {}, {}, at::kBFloat16, true));

    stub_capture = 9;
    say("captured", mm(all, a, b));
    say("captured once more", mm(all, a, b));
    puts(counts().c_str());
    return 0;
}
