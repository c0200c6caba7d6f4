// What learn-cuda takes of PyTorch.
#pragma once
#define TORCH_CHECK(...) static_cast<void>(0)
