import os, asyncio, sys, json, importlib.metadata as im
from langchain_mcp_adapters.client import MultiServerMCPClient
print("langchain-mcp-adapters", im.version("langchain-mcp-adapters"), "mcp", im.version("mcp"))
calls = json.loads(os.environ['CALLS'])
async def main():
    stdio = {"transport": "stdio", "command": sys.argv[2], "args": sys.argv[3:]}
    http = {"transport": "streamable_http", "url": sys.argv[2]}
    c = MultiServerMCPClient({"r": stdio if sys.argv[1] == "stdio" else http})
    tools = {t.name: t for t in await c.get_tools()}
    print(len(tools), "tools")
    for name, args in calls:
        try: print(name, str(await tools[name].ainvoke(args))[:90])
        except Exception as e: print(name, "ToolException:", str(e)[:80])
asyncio.run(main())
