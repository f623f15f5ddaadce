#pragma once
#include "Foundation/Files.h"
#include "Foundation/JSON.h"
#include "Foundation/Objects.h"
#include "Foundation/Processes.h"
#include "Foundation/URLLoading.h"
