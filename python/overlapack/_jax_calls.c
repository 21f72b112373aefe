/* The custom calls of overlapack.jax: what XLA hands over, as a question to the factors that overlapack._core keeps. Compiled with
 * the header of the jaxlib at hand (overlapack/_jax_library.py). */
#include "_kept_call.h"
#include "xla/ffi/api/c_api.h"

#include <string.h>

static olp_kept_answer* answer; /* of overlapack._core; set once, before a call is registered */

void overlapack_attach(olp_kept_answer* given) { answer = given; }

static XLA_FFI_Error* error_of(const XLA_FFI_Api* api, XLA_FFI_Error_Code code, const char* message) {
  XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, NULL, message, code};
  return api->XLA_FFI_Error_Create(&args);
}

/* XLA asks for the version of its interface when a call is registered, and refuses one that it does not serve. */
static int tells_version(const XLA_FFI_CallFrame* frame) {
  XLA_FFI_Extension_Base* extension = frame->extension_start;
  if (extension == NULL || extension->type != XLA_FFI_Extension_Metadata) return 0;
  XLA_FFI_Metadata* metadata = ((XLA_FFI_Metadata_Extension*)extension)->metadata;
  metadata->api_version.major_version = XLA_FFI_API_MAJOR;
  metadata->api_version.minor_version = XLA_FFI_API_MINOR;
  return 1;
}

static const void* attribute(const XLA_FFI_CallFrame* frame, const char* name) {
  for (int64_t k = 0; k < frame->attrs.size; ++k) {
    const XLA_FFI_ByteSpan* given = frame->attrs.names[k];
    if (given->len == strlen(name) && memcmp(given->ptr, name, given->len) == 0) return frame->attrs.attrs[k];
  }
  return NULL;
}
static int64_t number(const XLA_FFI_CallFrame* frame, const char* name) {
  const XLA_FFI_Scalar* scalar = attribute(frame, name);
  return *(const int64_t*)scalar->value;
}

static int type_of(XLA_FFI_DataType type) {
  switch (type) {
    case XLA_FFI_DataType_F32:
      return 0;
    case XLA_FFI_DataType_F64:
      return 1;
    case XLA_FFI_DataType_C64:
      return 2;
    default:
      return 3; /* overlapack/jax.py lets no other one through */
  }
}

/* Arguments: data (systems x entries), row, col (entries), and of a solve b (systems x sides x n). */
static XLA_FFI_Error* ask(XLA_FFI_CallFrame* frame, int question) {
  if (tells_version(frame)) return NULL;
  XLA_FFI_Buffer** given = (XLA_FFI_Buffer**)frame->args.args;
  XLA_FFI_Buffer** made = (XLA_FFI_Buffer**)frame->rets.rets;
  const XLA_FFI_ByteSpan* options = attribute(frame, "options");
  olp_kept_call call = {0};
  call.question = question;
  call.type = type_of(given[0]->dtype);
  call.index_bytes = given[1]->dtype == XLA_FFI_DataType_S64 ? 8 : 4;
  call.op = (int)number(frame, "op");
  call.raises = (int)number(frame, "raises");
  call.n = number(frame, "n");
  call.systems = given[0]->dims[0];
  call.entries = given[0]->dims[1];
  call.data = given[0]->data;
  call.row = given[1]->data;
  call.col = given[2]->data;
  call.out = made[0]->data;
  call.options = options->ptr;
  call.options_length = options->len;
  if (question == OLP_KEPT_SOLVE) {
    call.b = given[3]->data;
    call.sides = given[3]->dims[1];
  }
  if (question == OLP_KEPT_SLOGDET) call.logarithm = made[1]->data;
  char text[1024];
  return answer(&call, text, sizeof(text)) == 0
             ? NULL
             : error_of(frame->api, XLA_FFI_Error_Code_INVALID_ARGUMENT, text);
}

XLA_FFI_Error* overlapack_solve(XLA_FFI_CallFrame* frame) { return ask(frame, OLP_KEPT_SOLVE); }
XLA_FFI_Error* overlapack_slogdet(XLA_FFI_CallFrame* frame) { return ask(frame, OLP_KEPT_SLOGDET); }
XLA_FFI_Error* overlapack_inverse(XLA_FFI_CallFrame* frame) { return ask(frame, OLP_KEPT_INVERSE); }
