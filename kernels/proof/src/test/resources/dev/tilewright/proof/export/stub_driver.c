/* A driver for tests of exported programs: it writes down what it is told. Device memory is host memory. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;

static FILE *out(void) {
    static FILE *file;
    if (file == NULL) {
        file = fopen(getenv("STUB_LOG"), "a");
        setvbuf(file, NULL, _IOLBF, 0);
    }
    return file;
}

static void hex(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fprintf(out(), "%02x", ((const unsigned char *)bytes)[i]);
    }
}

CUresult cuInit(unsigned flags) { return flags == 0 ? 0 : 1; }
CUresult cuGetErrorName(CUresult error, const char **name) { *name = error == 1 ? "CUDA_ERROR_INVALID_VALUE" : "?"; return 0; }
CUresult cuCtxGetDevice(int *device) { *device = 0; return 0; }

/* A thread may have no context yet. */
static void *current = NULL;
CUresult cuCtxGetCurrent(void **context) { *context = getenv("STUB_NO_CONTEXT") == NULL ? (void *)1 : current; return 0; }
CUresult cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)2; return device; }
CUresult cuCtxSetCurrent(void *context) {
    fprintf(out(), "context %p\n", context);
    current = context;
    return 0;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
    const char *sms = getenv("STUB_SMS");
    *value = attribute == 16 ? (sms == NULL ? 132 : atoi(sms)) : attribute == 97 ? 232448 : -1;
    return device;
}

CUresult cuModuleLoadData(void **module, const void *image) {
    fprintf(out(), "load ");
    hex(image, 16);
    fprintf(out(), "\n");
    *module = (void *)image;
    return 0;
}
CUresult cuModuleUnload(void *module) { return module == NULL; }

CUresult cuModuleGetFunction(void **function, void *module, const char *name) {
    char *copy = malloc(strlen(name) + 1);
    *function = strcpy(copy, name);
    return module == NULL;
}

CUresult cuFuncGetAttribute(int *value, int attribute, void *function) {
    *value = attribute == 11 ? atoi(getenv("STUB_REQUIRED_CLUSTER")) : -1;
    return function == NULL;
}
CUresult cuFuncSetAttribute(void *function, int attribute, int value) {
    if (strncmp(function, "deal_", 5) != 0) {
        fprintf(out(), "attribute %s %d %d\n", (char *)function, attribute, value);
    }
    return 0;
}

CUresult cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    *address = (uint64_t)(uintptr_t)aligned_alloc(512, (bytes + 511) / 512 * 512);
    fprintf(out(), "alloc %zu %llx\n", bytes, (unsigned long long)*address);
    return 0;
}
CUresult cuMemFree_v2(uint64_t address) {
    fprintf(out(), "free %llx\n", (unsigned long long)address);
    free((void *)(uintptr_t)address);
    return 0;
}

/* The stream that programs prepare on: nothing is launched before it was waited for. */
static char preparing;
static int unfinished = 0;

CUresult cuStreamCreate(void **stream, unsigned flags) {
    *stream = &preparing;
    return flags != 1;
}
CUresult cuStreamSynchronize(void *stream) {
    unfinished = 0;
    return stream != &preparing;
}
CUresult cuCtxSynchronize(void) { return 0; }
CUresult cuStreamDestroy_v2(void *stream) { return stream != &preparing; }

CUresult cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
    if (stream != &preparing) {
        return 1;
    }
    unfinished = 1;
    fprintf(out(), "write %llx ", (unsigned long long)to);
    hex(from, bytes);
    fprintf(out(), "\n");
    memcpy((void *)(uintptr_t)to, from, bytes);
    return 0;
}
CUresult cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return stream != &preparing;
}
CUresult cuStreamGetCaptureInfo_v2(void *stream, int *status, uint64_t *id, void **graph, const void **nodes, size_t *count) {
    *status = 1;
    *id = 9;
    return stream == NULL || graph != NULL || nodes != NULL || count != NULL;
}
CUresult cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream) {
    if (stream == &preparing) {
        unfinished = 1;
        fprintf(out(), "fill %llx %d %zu\n", (unsigned long long)to, value, bytes);
        memset((void *)(uintptr_t)to, value, bytes);
        return 0;
    }
    fprintf(out(), "later %llx %d %zu %p\n", (unsigned long long)to, value, bytes, stream);
    return 0;
}
CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
    static int held = 0;
    int before = held;
    held = *mode;
    *mode = before;
    return 0;
}

static void list(const void *values, unsigned count, int wide) {
    fprintf(out(), " [");
    for (unsigned i = 0; i < count; i++) {
        fprintf(out(), "%s%llu", i == 0 ? "" : ", ",
            wide ? (unsigned long long)((const uint64_t *)values)[i] : ((const uint32_t *)values)[i]);
    }
    fprintf(out(), "]");
}

/* The map that is made has its number in its first bytes, and its address behind. */
CUresult cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *address, const uint64_t *dims,
        const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave, int swizzle, int promotion,
        int fill) {
    static uint64_t number = 0;
    number++;
    if ((uintptr_t)map % 64 != 0) {
        return 1;
    }
    memset(map, 0xee, 128);
    memcpy(map, &number, 8);
    fprintf(out(), "map %llu %d %llx", (unsigned long long)number, type, (unsigned long long)(uintptr_t)address);
    list(dims, rank, 1);
    list(strides, rank - 1, 1);
    list(box, rank, 0);
    list(steps, rank, 0);
    fprintf(out(), " %d %d %d %d\n", interleave, swizzle, promotion, fill);
    return 0;
}

struct attribute { uint32_t id, padding, value[16]; };
struct config { uint32_t grid[3], block[3], shared; void *stream; const struct attribute *attributes; uint32_t count; };

/* GPCs of 18, 16 and 12 SMs take clusters in turn as long as they have room; the rest comes when all are done. */
static void deal(const struct config *config, unsigned size, uint32_t *sms) {
    const unsigned room[8] = {18, 16, 18, 16, 18, 16, 18, 12};
    unsigned used[8] = {0}, gpc = 0, skipped = 0;
    for (unsigned cta = 0; cta < config->grid[0]; gpc = (gpc + 1) % 8) {
        if (used[gpc] + size <= room[gpc]) {
            for (unsigned i = 0; i < size; i++) {
                sms[cta++] = gpc * 18 + used[gpc]++;
            }
            skipped = 0;
        } else if (++skipped == 8) {
            memset(used, 0, sizeof used);
        }
    }
}

CUresult cuLaunchKernelEx(const struct config *config, void *function, void **arguments, void **extra) {
    if (strncmp(function, "deal_", 5) == 0) {
        uint64_t address;
        memcpy(&address, arguments[0], 8);
        deal(config, (unsigned)atoi((char *)function + 5), (uint32_t *)(uintptr_t)address);
        return 0;
    }
    if (unfinished) {
        return 1;
    }
    fprintf(out(), "launch %s", (char *)function);
    list(config->grid, 3, 0);
    list(config->block, 3, 0);
    fprintf(out(), " %u %p", config->shared, config->stream);
    for (uint32_t i = 0; i < config->count; i++) {
        fprintf(out(), " attribute %u %u %u %u", config->attributes[i].id, config->attributes[i].value[0],
            config->attributes[i].value[1], config->attributes[i].value[2]);
    }
    fprintf(out(), "\n");
    /* How many bytes each parameter has, only the test knows. */
    char *sizes = getenv("STUB_PARAMETERS"), *end = sizes;
    for (int i = 0; *end != 0; i++) {
        long bytes = strtol(sizes, &end, 10);
        fprintf(out(), "parameter %ld ", bytes);
        hex(arguments[i], (size_t)bytes);
        fprintf(out(), "\n");
        sizes = end + 1;
    }
    return extra != NULL;
}
