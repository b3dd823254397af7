import os, asyncio, sys, json, importlib.metadata as im
from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
print("openai-agents", im.version("openai-agents"), "mcp", im.version("mcp"))
calls = json.loads(os.environ['CALLS'])
async def main():
    s = MCPServerStdio({"command": sys.argv[2], "args": sys.argv[3:]}) if sys.argv[1]=="stdio" else MCPServerStreamableHttp({"url": sys.argv[2]})
    async with s:
        print(len(await s.list_tools()), "tools")
        for name, args in calls:
            r = await s.call_tool(name, args); print(name, r.content[0].text[:80])
asyncio.run(main())
