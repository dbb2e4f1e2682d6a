/* A libcuda.so.1 of GPUs that are not there, for the failures of real ones. It runs no kernel: launches do nothing, and
   memory is the host's. What it is told by the environment:

   FAKE_CUDA_VERSION   the newest CUDA that the driver runs [13000]
   FAKE_DEVICES        how many GPUs there are [1]; CUDA_VISIBLE_DEVICES chooses among them
   FAKE_SLICE          the UUID of a MIG slice, which is then what there is beside the GPUs
   FAKE_MODE           the compute mode of every GPU [0]
   FAKE_FAIL           calls that fail, such as cuInit=803,cuMemAlloc=2: the status that they give
   FAKE_LACKS          functions that the driver does not have, separated by commas
   FAKE_HANG           when set, what is launched never ends
   FAKE_ARRAY          the offset of a pointer among the parameters: a launch adds 1 to the first byte it points to, and
                       1 to the one byte of the module's variable `counter`
   FAKE_NOTES          a file to which such a launch adds a line: both bytes, as it finds them */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_GPUS 8
#define SUCCESS 0
#define NO_DEVICE 100
#define INVALID_DEVICE 101
#define NOT_FOUND 500
#define NOT_READY 600

typedef int Status;
typedef unsigned char Uuid[16];

static int shown[MOST_GPUS]; /* the numbers of the visible GPUs; MOST_GPUS is the slice */
static int count;
static int launched;
static unsigned char counter = 7;

static int number_from(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text && *text ? atoi(text) : otherwise;
}

/* What FAKE_FAIL says of a function; SUCCESS when it says nothing. */
static Status told(const char *function) {
    const char *place = getenv("FAKE_FAIL");
    size_t length = strlen(function);
    while (place && *place) {
        if (strncmp(place, function, length) == 0 && place[length] == '=') return atoi(place + length + 1);
        place = strchr(place, ',');
        if (place) place++;
    }
    return SUCCESS;
}

#define ASKED(function) do { Status status = told(function); if (status != SUCCESS) return status; } while (0)

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return (c | 32) - 'a' + 10;
}

/* GPU n has the UUID GPU-nnnnnnnn-nnnn-…, with n a digit. */
static void uuid_of(int gpu, Uuid uuid) {
    const char *text = getenv("FAKE_SLICE");
    if (gpu < MOST_GPUS) {
        memset(uuid, gpu * 0x11, sizeof(Uuid));
        return;
    }
    text += strlen("MIG-");
    for (int i = 0; i < 16; text++) {
        if (*text == '-') continue;
        uuid[i++] = (unsigned char)(hex(text[0]) << 4 | hex(text[1]));
        text++;
    }
}

static void text_of(int gpu, char text[64]) {
    Uuid uuid;
    uuid_of(gpu, uuid);
    char *end = text + sprintf(text, gpu < MOST_GPUS ? "GPU-" : "MIG-");
    for (int i = 0; i < 16; i++) end += sprintf(end, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid[i]);
}

/* The one GPU or slice that an entry of CUDA_VISIBLE_DEVICES names; -1 for none or several. */
static int named(const char *entry, int gpus) {
    char *end;
    long number = strtol(entry, &end, 10);
    if (end != entry && *end == 0) return number >= 0 && number < gpus ? (int)number : -1;
    int found = -1;
    for (int gpu = 0; gpu <= MOST_GPUS; gpu++) {
        char text[64];
        if (gpu >= gpus && (gpu < MOST_GPUS || !getenv("FAKE_SLICE"))) continue;
        text_of(gpu, text);
        if (strncmp(text, entry, strlen(entry))) continue;
        if (found >= 0) return -1;
        found = gpu;
    }
    return found;
}

static void look(void) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    int gpus = number_from("FAKE_DEVICES", 1);
    count = 0;
    if (!visible) {
        while (count < gpus) { shown[count] = count; count++; }
        return;
    }
    char *text = strdup(visible);
    for (char *entry = strtok(text, ","); entry && count < MOST_GPUS; entry = strtok(NULL, ",")) {
        int gpu = named(entry, gpus);
        if (gpu < 0) break;
        shown[count++] = gpu;
    }
    free(text);
}

static Status init(unsigned flags) {
    ASKED("cuInit");
    look();
    return flags || !count ? NO_DEVICE : SUCCESS;
}
static Status driver_version(int *version) { *version = number_from("FAKE_CUDA_VERSION", 13000); return SUCCESS; }
static Status device_count(int *number) { ASKED("cuDeviceGetCount"); *number = count; return SUCCESS; }
static Status device_get(int *device, int number) {
    ASKED("cuDeviceGet");
    *device = number;
    return number < count ? SUCCESS : INVALID_DEVICE;
}
static Status device_name(char *name, int length, int device) {
    int gpu = shown[device];
    snprintf(name, (size_t)length, gpu < MOST_GPUS ? "Fake GPU %d" : "Fake GPU MIG 1g.18gb", gpu);
    return SUCCESS;
}
static Status device_uuid(Uuid *uuid, int device) { uuid_of(shown[device], *uuid); return SUCCESS; }
static Status device_attribute(int *value, int attribute, int device) {
    (void)device;
    ASKED("cuDeviceGetAttribute");
    switch (attribute) {
        case 20: *value = number_from("FAKE_MODE", 0); break; /* compute mode */
        case 38: *value = 50 << 20; break;                    /* L2 cache, bytes */
        case 39: *value = 2048; break;                        /* threads of a multiprocessor */
        case 75: *value = 9; break;                           /* compute capability */
        case 76: *value = 0; break;
        case 97: *value = 227 << 10; break; /* shared memory of a block that asks for it, bytes */
        default: *value = 0;
    }
    return SUCCESS;
}
static Status context_retain(void **context, int device) {
    (void)device;
    ASKED("cuDevicePrimaryCtxRetain");
    *context = &count;
    return SUCCESS;
}
static Status context_set(void *context) { (void)context; ASKED("cuCtxSetCurrent"); return SUCCESS; }
static Status memory_info(size_t *free_, size_t *total) {
    ASKED("cuMemGetInfo");
    *free_ = (size_t)1 << 30;
    *total = (size_t)2 << 30;
    return SUCCESS;
}
static Status memory_allocate(uint64_t *address, size_t size) {
    ASKED("cuMemAlloc");
    *address = (uint64_t)(uintptr_t)malloc(size);
    return SUCCESS;
}
static Status memory_free(uint64_t address) { free((void *)(uintptr_t)address); return SUCCESS; }
static Status memory_set(uint64_t address, unsigned char value, size_t size) {
    ASKED("cuMemsetD8");
    memset((void *)(uintptr_t)address, value, size);
    return SUCCESS;
}
static Status memory_read(void *host, uint64_t address, size_t size) {
    ASKED("cuMemcpyDtoH");
    memcpy(host, (void *)(uintptr_t)address, size);
    return SUCCESS;
}
static Status memory_write(uint64_t address, const void *host, size_t size) {
    ASKED("cuMemcpyHtoD");
    memcpy((void *)(uintptr_t)address, host, size);
    return SUCCESS;
}
static Status module_load(void **module, const void *image) {
    ASKED("cuModuleLoadData");
    *module = (void *)(uintptr_t)1;
    return image ? SUCCESS : 1;
}
static Status module_function(void **function, void *module, const char *name) {
    (void)name;
    ASKED("cuModuleGetFunction");
    *function = module;
    return SUCCESS;
}
static Status module_unload(void *module) { (void)module; return told("cuModuleUnload"); }
static Status module_variable(uint64_t *address, size_t *size, void *module, const char *name) {
    (void)module;
    *address = (uint64_t)(uintptr_t)&counter;
    *size = 1;
    return strcmp(name, "counter") ? NOT_FOUND : SUCCESS;
}
static Status occupancy(int *blocks, void *function, int threads, size_t shared) {
    (void)function, (void)shared;
    *blocks = 2048 / threads;
    return SUCCESS;
}
static Status function_get(int *value, int attribute, void *function) {
    (void)function;
    ASKED("cuFuncGetAttribute");
    *value = attribute == 4 ? 24 : 0; /* registers */
    if (attribute == 0) *value = 1024;  /* threads of a block */
    return SUCCESS;
}
static Status function_set(void *function, int attribute, int value) {
    (void)function, (void)attribute, (void)value;
    return told("cuFuncSetAttribute");
}
/* extra: 1 before the parameters, 2 before their size, 0 at the end. */
static void run(void **extra) {
    const char *offset = getenv("FAKE_ARRAY"), *notes = getenv("FAKE_NOTES");
    if (!offset || !extra) return;
    char *parameters = extra[0] == (void *)1 ? extra[1] : extra[3];
    unsigned char *array = *(unsigned char **)(parameters + atoi(offset));
    FILE *file = notes ? fopen(notes, "a") : NULL;
    if (file) {
        fprintf(file, "%d %d\n", array[0], counter);
        fclose(file);
    }
    array[0]++;
    counter++;
}
static Status launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                     unsigned shared, void *stream, void **parameters, void **extra) {
    (void)function, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)stream;
    (void)parameters;
    ASKED("cuLaunchKernel");
    run(extra);
    launched = 1;
    return SUCCESS;
}
static Status stream_query(void *stream) {
    (void)stream;
    ASKED("cuStreamQuery");
    return launched && getenv("FAKE_HANG") ? NOT_READY : SUCCESS;
}
static Status stream_synchronize(void *stream) { (void)stream; return told("cuStreamSynchronize"); }
static Status event_create(void **event, unsigned flags) { (void)flags; *event = &count; return SUCCESS; }
static Status event_record(void *event, void *stream) { (void)event, (void)stream; return told("cuEventRecord"); }
static Status event_elapsed(float *milliseconds, void *begin, void *end) {
    (void)begin, (void)end;
    *milliseconds = 0.25f;
    return SUCCESS;
}
static Status event_destroy(void *event) { (void)event; return SUCCESS; }
static Status error_string(Status status, const char **text) {
    (void)status;
    *text = "the fake driver fails";
    return SUCCESS;
}

static const struct { const char *name; void *function; } functions[] = {
    {"cuInit", init}, {"cuDriverGetVersion", driver_version}, {"cuDeviceGetCount", device_count},
    {"cuDeviceGet", device_get}, {"cuDeviceGetName", device_name}, {"cuDeviceGetUuid", device_uuid},
    {"cuDeviceGetAttribute", device_attribute}, {"cuDevicePrimaryCtxRetain", context_retain},
    {"cuCtxSetCurrent", context_set}, {"cuMemGetInfo", memory_info}, {"cuMemAlloc", memory_allocate},
    {"cuMemFree", memory_free}, {"cuMemsetD8", memory_set}, {"cuMemcpyDtoH", memory_read},
    {"cuMemcpyHtoD", memory_write}, {"cuModuleLoadData", module_load}, {"cuModuleUnload", module_unload},
    {"cuModuleGetFunction", module_function}, {"cuModuleGetGlobal", module_variable},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor", occupancy}, {"cuEventCreate", event_create},
    {"cuEventRecord", event_record}, {"cuEventElapsedTime", event_elapsed}, {"cuEventDestroy", event_destroy},
    {"cuFuncGetAttribute", function_get}, {"cuFuncSetAttribute", function_set}, {"cuLaunchKernel", launch},
    {"cuStreamQuery", stream_query}, {"cuStreamSynchronize", stream_synchronize}, {"cuGetErrorString", error_string},
};

/* FAKE_LACKS has the name, between commas or at an end. */
static int lacks(const char *name) {
    char list[512], entry[64];
    snprintf(list, sizeof list, ",%s,", getenv("FAKE_LACKS") ? getenv("FAKE_LACKS") : "");
    snprintf(entry, sizeof entry, ",%s,", name);
    return strstr(list, entry) != NULL;
}

/* The bindings ask for every function by its name without the suffix of a version. */
Status cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *found) {
    (void)version, (void)flags;
    *function = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && !lacks(name); i++)
        if (strcmp(functions[i].name, name) == 0) *function = functions[i].function;
    if (found) *found = *function ? 0 : 1;
    return *function ? SUCCESS : NOT_FOUND;
}

Status cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
